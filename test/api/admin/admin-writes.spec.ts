import { makeChat } from '../../support/fixtures/chats.js';
import { builtEndpoints } from '../../support/fixtures/endpoints.js';
import { ok } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';
import type { Client } from '../../support/fixtures/world.js';

/*
 * Every write of an administrator adds exactly one entry to the moderation log, and a write that fails adds none
 * (threat A9). Each built route of the admin API that changes something is in `WRITES` or in `EXCEPTED`.
 */

type Values = Readonly<Record<string, unknown>>;

/** The subjects and the values of a write. `{name}` in a path is a new person, `{other}` a second one. */
interface Write {
  readonly values?: Values;
  readonly action: string;
  /** The nicknames or ids of the subjects; {@link NEW} for something that the write creates. */
  readonly subject?: readonly string[] | typeof NEW;
  /** The values of a request that fails, or its path if that differs. */
  readonly fails: Values | string;
  /** Creates the subject of the write; the result fills the path and `{…}`. */
  readonly before?: (name: string) => Promise<unknown>;
}

const NEW = 'new';
const ADMIN = '/api/v1/svc/admin';
const APP = { name: 'App', redirect_uris: 'https://app.test/done', scopes: 'read' };

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

const made = (path: string, values: Values) => ok<{ id: string }>(root.post(`${ADMIN}/${path}`, values));
const status = async (name: string) =>
  ok<{ id: string }>((await app.world.as(name)).post('/api/v1/statuses', { status: 'Hi' }));
const report = async (name: string) =>
  ok<{ id: string }>((await app.world.as(name)).post('/api/v1/reports', { account_id: app.world.id(`${name}b`) }));

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
  'POST users/invite_token': { action: 'invite_create', subject: NEW, fails: { max_use: -1 } },
  'POST users/revoke_invite': {
    values: { token: '{token}' },
    action: 'invite_revoke',
    subject: NEW,
    fails: { token: 'none' },
    before: () => made('users/invite_token', {}),
  },
  'PATCH reports': {
    values: { reports: [{ id: '{id}', state: 'resolved' }] },
    action: 'report_update',
    subject: ['{name}b'],
    fails: { reports: [{ id: '0', state: 'resolved' }] },
    before: report,
  },
  'POST reports/assign_account': {
    values: { reports: [{ id: '{id}', nickname: 'root' }] },
    action: 'report_assign',
    subject: ['{name}b'],
    fails: { reports: [{ id: '{id}', nickname: 'nobody' }] },
    before: report,
  },
  'POST reports/:id/notes': {
    values: { content: 'Seen' },
    action: 'report_note',
    subject: ['{name}b'],
    fails: {},
    before: report,
  },
  'DELETE reports/:report_id/notes/:id': {
    action: 'report_note_delete',
    subject: ['{name}b'],
    fails: 'reports/{report_id}/notes/0',
    before: async (name) => {
      const { id } = await report(name);
      await root.post(`${ADMIN}/reports/${id}/notes`, { content: 'Seen' }).expect(204);
      const { notes } = await ok<{ notes: { id: string }[] }>(root.get(`${ADMIN}/reports/${id}`));
      return { report_id: id, id: notes[0]!.id };
    },
  },
  'PUT statuses/:id': {
    values: { sensitive: true },
    action: 'status_update',
    subject: ['{id}'],
    fails: { visibility: 'nowhere' },
    before: status,
  },
  'DELETE statuses/:id': { action: 'status_delete', subject: ['{id}'], fails: 'statuses/0', before: status },
  'DELETE chats/:chat_id/messages/:message_id': {
    action: 'chat_message_delete',
    subject: ['{message_id}'],
    fails: 'chats/{chat_id}/messages/AAAAAAAAAAAAAAAAAA',
    before: async (name) => {
      const { chat, message } = await makeChat(app, name, `${name}b`);
      return { chat_id: chat, message_id: message };
    },
  },
  'POST oauth_app': { values: APP, action: 'oauth_app_create', subject: NEW, fails: { name: 'App' } },
  'PATCH oauth_app/:id': {
    values: { name: 'Other' },
    action: 'oauth_app_update',
    subject: ['{id}'],
    fails: { redirect_uris: 'nowhere' },
    before: () => made('oauth_app', APP),
  },
  'DELETE oauth_app/:id': {
    action: 'oauth_app_delete',
    subject: ['{id}'],
    fails: 'oauth_app/0',
    before: () => made('oauth_app', APP),
  },
  ...furniture('announcement', { content: 'We move' }, { content: '' }),
  ...furniture('rule', { text: 'Be kind' }, { text: '' }),
};

/** The three writes of something that the server shows to everyone. */
function furniture(name: string, values: Values, fails: Values): Record<string, Write> {
  const path = `${name}s`;
  const known = { subject: ['{id}'], before: () => made(path, values) };
  return {
    [`POST ${path}`]: { values, action: `${name}_create`, subject: NEW, fails },
    [`PATCH ${path}/:id`]: { ...known, values, action: `${name}_update`, fails },
    [`DELETE ${path}/:id`]: { ...known, action: `${name}_delete`, fails: `${path}/0` },
  };
}

/**
 * Writes that cannot fail, or that need other servers, files, mail or a restart and are tested elsewhere. Emoji packs
 * are files without log entries.
 */
const EXCEPTED =
  /^\/api\/(v1\/)?svc\/(emoji\/|admin\/(frontends|instance_document|relay|reload_emoji|restart|users\/email_invite)(\/|$))/;

const PREFIX = /^\/api\/(?:v1\/)?svc\/admin\//;

const app = useApp({ once: [] });
let root: Client;
let serial = 0;

beforeAll(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
});

const isTested = (method: string, path: string) => `${method} ${path.replace(PREFIX, '')}` in WRITES;

const writes = builtEndpoints().filter(
  ({ access, method, path }) =>
    access === 'admin' && method !== 'GET' && (isTested(method, path) || !EXCEPTED.test(path)),
);

type Words = Readonly<Record<string, string>>;

const filled = <T>(value: T, words: Words): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word]!)) as T;

const at = (path: string, words: Words) => path.replaceAll(/:(\w+)/g, (_, word: string) => words[word]!);

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

  it.each(writes)('gets one entry for $method $path, and none if it fails', async ({ method, path }) => {
    const write = WRITES[`${method} ${path.replace(PREFIX, '')}`]!;
    const name = `person${(serial += 1)}`;
    await app.world.persons(name, `${name}b`);
    const words: Words = {
      ...{ name, other: `${name}b`, nickname: name, permission_group: 'moderator', instance: `${name}.test` },
      ...((await write.before?.(name)) as object | undefined),
    };
    await app.sql('delete from moderation_log');
    const send = (to: string, values: Values = {}) => root[method.toLowerCase() as 'post'](to, filled(values, words));

    const [, prefix = ''] = /^(\/.*\/admin\/)/.exec(path) ?? [];
    const failing =
      typeof write.fails === 'string'
        ? await send(prefix + filled(write.fails, words), write.values)
        : await send(at(path, words), write.fails);
    expect({ status: failing.status >= 400 && failing.status < 500, body: failing.body as unknown }).toMatchObject({
      status: true,
    });
    expect(await entries()).toEqual([]);

    const done = await send(at(path, words), write.values);
    expect({ status: done.status < 300, body: done.body as unknown }).toMatchObject({ status: true });
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor_id: app.world.id('root'), action: write.action });
    const subjects = entry!.data.subject.map(({ id, nickname }) => nickname ?? id);
    const { subject = ['{name}'] } = write;
    expect(subjects).toEqual(subject === NEW ? [expect.any(String)] : filled(subject, words));
    expect(entry!.message.startsWith('@root ')).toBe(true);
    for (const each of subjects) expect(entry!.message).toContain(each);
  });
});
