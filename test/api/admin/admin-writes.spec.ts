import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEndpoints } from '../../support/fixtures/endpoints.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import type { Client } from '../../support/fixtures/world.js';

/*
 * Every write of an administrator adds exactly one entry to the moderation log, and one that fails adds none (threat A9). Each
 * built route of the administrative API that changes something stands in `WRITES`, or in `ELSEWHERE`.
 */

type Values = Readonly<Record<string, unknown>>;

/** Whom or what a write is about, and what is sent. `{name}` in a path is a new person, `{other}` a second one. */
interface Write {
  readonly values?: Values;
  readonly action: string;
  /** The nicknames or ids of the subjects. */
  readonly subject?: readonly string[];
  /** A request that fails, with its path if that differs. */
  readonly fails: Values | string;
  /** Makes what the write is about. */
  readonly before?: (name: string) => Promise<unknown>;
}

const NAMED = { values: { nicknames: ['{name}'] }, fails: { nicknames: ['{name}', 'nobody'] } };
const TAGGED = {
  values: { nicknames: ['{name}'], tags: ['tea'] },
  fails: { nicknames: ['{name}', 'nobody'], tags: ['tea'] },
};
const BANNED = {
  values: { urls: ['https://far.test/{name}.png'] },
  subject: ['https://far.test/{name}.png'],
  fails: { urls: ['{name}'] },
};
const unapproved = (name: string) =>
  app.sql('update users set is_approved = false, is_confirmed = false where account_id = $1', [app.world.id(name)]);

const WRITES: Readonly<Record<string, Write>> = {
  'POST config': {
    values: { configs: [{ group: ':svc', key: ':instance', value: [{ tuple: [':name', '{name}'] }] }] },
    action: 'config_update',
    subject: [':svc :instance'],
    fails: { configs: [{ group: 'svc', key: ':instance', value: [] }] },
  },
  'POST media_proxy_caches/delete': { ...BANNED, action: 'media_proxy_unban' },
  'POST media_proxy_caches/purge': { ...BANNED, action: 'media_proxy_purge' },
  'PATCH users/:nickname/toggle_activation': { action: 'deactivate', fails: 'users/nobody/toggle_activation' },
  'PATCH users/activate': { ...NAMED, action: 'activate' },
  'PATCH users/deactivate': { ...NAMED, action: 'deactivate' },
  'PATCH users/approve': { ...NAMED, action: 'approve', before: unapproved },
  'PATCH users/suggest': { ...NAMED, action: 'add_suggestion' },
  'PATCH users/unsuggest': { ...NAMED, action: 'remove_suggestion' },
  'PATCH users/confirm_email': { ...NAMED, action: 'confirm_email', before: unapproved },
  'PATCH users/resend_confirmation_email': { ...NAMED, action: 'resend_confirmation_email', before: unapproved },
  'POST users': {
    values: { users: [{ nickname: '{name}new', email: '{name}new@mail.test', password: 'long enough' }] },
    action: 'create',
    subject: ['{name}new'],
    fails: { users: [{ nickname: '{name}', email: '{name}x@mail.test', password: 'long enough' }] },
  },
  'DELETE users': { ...NAMED, action: 'delete' },
  'POST users/follow': {
    values: { follower: '{other}', followed: '{name}' },
    action: 'follow',
    fails: { follower: '{name}', followed: '{name}' },
  },
  'POST users/unfollow': {
    values: { follower: '{other}', followed: '{name}' },
    action: 'unfollow',
    fails: { follower: '{name}', followed: '{name}' },
  },
  'PATCH users/force_password_reset': { ...NAMED, action: 'force_password_reset' },
  'PUT users/disable_mfa': { values: { nickname: '{name}' }, action: 'disable_mfa', fails: { nickname: 'nobody' } },
  'PATCH users/:nickname/credentials': {
    values: { name: 'Somebody', email: '{name}@new.test' },
    action: 'updated_users',
    fails: { name: 'Somebody', email: 'nowhere' },
  },
  'DELETE instances/:instance': {
    action: 'instance_delete',
    before: (name) => app.world.remote('zoe', `${name}.test`),
    subject: ['{name}.test'],
    fails: 'instances/svc.test',
  },
  'POST backups': { values: { nickname: '{name}' }, action: 'create_backup', fails: { nickname: 'nobody' } },
  'PUT users/tag': { ...TAGGED, action: 'tag' },
  'DELETE users/tag': { ...TAGGED, action: 'untag' },
  'POST users/permission_group/:permission_group': { ...NAMED, action: 'grant' },
  'POST users/:nickname/permission_group/:permission_group': {
    action: 'grant',
    fails: 'users/nobody/permission_group/moderator',
  },
  'DELETE users/permission_group/:permission_group': { ...NAMED, action: 'revoke' },
  'DELETE users/:nickname/permission_group/:permission_group': {
    action: 'revoke',
    fails: 'users/{name}/permission_group/owner',
  },
};

/** Routes whose entries are tested elsewhere, or that add none: packs of emoji are files. A new row of `WRITES` ends an exception. */
const ELSEWHERE = [
  'announcements',
  'chats',
  'frontends',
  'instance_document',
  'oauth_app',
  'relay',
  'reload_emoji',
  'reports',
  'restart',
  'rules',
  'statuses',
  'users/(invite_token|revoke_invite|email_invite)',
];
const EXCEPTED = new RegExp(String.raw`^/api/(v1/)?svc/(emoji/|admin/(${ELSEWHERE.join('|')})(/|$))`);

const PREFIX = /^\/api\/(?:v1\/)?svc\/admin\//;

let app: TestApp;
let root: Client;
let serial = 0;

beforeAll(async () => {
  app = await startApp();
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
});
afterAll(() => app.close());

const isTested = (method: string, path: string) => `${method} ${path.replace(PREFIX, '')}` in WRITES;

const writes = builtEndpoints().filter(
  ({ access, method, path }) =>
    access === 'admin' && method !== 'GET' && (isTested(method, path) || !EXCEPTED.test(path)),
);

const filled = <T>(value: T, name: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll('{name}', name).replaceAll('{other}', `${name}2`)) as T;

const at = (path: string, name: string) =>
  path.replace(':nickname', name).replace(':permission_group', 'moderator').replace(':instance', `${name}.test`);

interface Row {
  readonly actor_id: string;
  readonly action: string;
  readonly message: string;
  readonly data: { readonly subject: { id: string; nickname?: string }[] };
}
const entries = () => app.sql<Row>('select actor_id, action, message, data from moderation_log');

describe('the moderation log', () => {
  it('has a test of each administrative write', () => {
    const tested = Object.keys(WRITES).sort();
    const built = [...new Set(writes.map(({ method, path }) => `${method} ${path.replace(PREFIX, '')}`))].sort();
    expect(built).toEqual(tested);
  });

  it.each(writes)('gets one entry of $method $path, and none if it fails', async ({ method, path }) => {
    const write = WRITES[`${method} ${path.replace(PREFIX, '')}`]!;
    const name = `person${(serial += 1)}`;
    await app.world.persons(name, `${name}2`);
    await write.before?.(name);
    await app.sql('delete from moderation_log');
    const send = (to: string, values: Values = {}) => root[method.toLowerCase() as 'post'](to, filled(values, name));

    const [, prefix = ''] = /^(\/.*\/admin\/)/.exec(path) ?? [];
    const failing =
      typeof write.fails === 'string'
        ? await send(prefix + filled(write.fails, name), write.values)
        : await send(at(path, name), write.fails);
    expect({ status: failing.status >= 400 && failing.status < 500, body: failing.body as unknown }).toMatchObject({
      status: true,
    });
    expect(await entries()).toEqual([]);

    const done = await send(at(path, name), write.values);
    expect({ status: done.status < 300, body: done.body as unknown }).toMatchObject({ status: true });
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor_id: app.world.id('root'), action: write.action });
    const subjects = entry!.data.subject.map(({ id, nickname }) => nickname ?? id);
    expect(subjects).toEqual(filled(write.subject ?? ['{name}'], name));
    expect(entry!.message.startsWith('@root ')).toBe(true);
    for (const subject of subjects) expect(entry!.message).toContain(subject);
  });
});
