import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands } from '../../../src/ctl/index.js';
import { HostBlocksService } from '../../../src/federation/index.js';
import { AnnouncementsService, RulesService } from '../../../src/instance/index.js';
import { MediaBansService } from '../../../src/media/index.js';
import { enableMfa } from '../../support/fixtures/mfa.js';
import { post } from '../../support/fixtures/statuses.js';
import { zipOf } from '../../support/fixtures/zip.js';
import { useApp } from '../../support/servers/app.js';
import { runCtl } from '../../support/servers/ctl.js';

const app = useApp();

const FILE = 'https://far.test/picture.png';
const RELAY = 'https://relay.test/inbox';
const ctl = (...args: string[]) => runCtl(app.variables, ...args);
const update = (column: string, value: boolean) =>
  app.sql(`update users set ${column} = $1 where account_id = $2`, [value, app.world.id('alice')]);
const failedJob = async () => {
  const [job] = await app.sql<{ id: string }>(
    `insert into jobs (name, queue, attempts, parked_at) values ('a', 'mail', 10, now()) returning id`,
  );
  return job!.id;
};
const fileOf = async (content: Buffer | string) => {
  const path = join(app.env.dataDir, 'given');
  await writeFile(path, content);
  return path;
};

/** Every command that does what the staff can do, with its arguments and the action of its entry. */
const WRITES: Readonly<Record<string, readonly [action: string, args: () => string[] | Promise<string[]>]>> = {
  'user create': ['create', () => ['carol', '--email', 'carol@mail.test']],
  'user reset-password': ['reset_password', () => ['alice']],
  'user reset-link': ['password_reset', () => ['alice']],
  'user force-reset': ['force_password_reset', () => ['alice']],
  'user disable-mfa': ['disable_mfa', () => enableMfa(app, 'alice').then(() => ['alice'])],
  'user set': ['grant', () => ['alice', '--moderator']],
  'user delete': ['delete', () => ['alice', '--yes']],
  'user suggest': ['add_suggestion', () => ['alice']],
  'user unsuggest': ['remove_suggestion', () => ['alice']],
  'user approve': ['approve', () => update('is_approved', false).then(() => ['alice'])],
  'user reject': ['reject', () => update('is_approved', false).then(() => ['alice'])],
  'user confirm': ['confirm_email', () => update('is_confirmed', false).then(() => ['alice'])],
  'user resend-confirmation': ['resend_confirmation_email', () => ['alice']],
  'account deactivate': ['deactivate', () => ['bob@far.test']],
  'account activate': ['activate', () => ['bob@far.test']],
  'account tag': ['tag', () => ['bob@far.test', 'loud']],
  'account untag': ['untag', () => ['bob@far.test', 'loud']],
  'account follow': ['follow', () => ['alice', 'root']],
  'account unfollow': ['unfollow', () => ['alice', 'root']],
  'account delete': ['delete', () => ['bob@far.test', '--yes']],
  'post set': ['status_update', async () => [(await post(app, 'alice', 'tea')).id, '--sensitive']],
  'post delete': ['status_delete', async () => [(await post(app, 'alice', 'tea')).id, '--yes']],
  'frontend install': [
    'frontend_install',
    async () => ['tea', '--file', await fileOf(zipOf([{ name: 'dist/index.html', content: Buffer.from('<html>') }]))],
  ],
  'invite create': ['invite_create', () => []],
  'invite revoke': ['invite_revoke', async () => ['--', await newInvite()]],
  'jobs retry': ['job_retry', async () => ['--id', await failedJob()]],
  'jobs drop': ['job_drop', async () => [await failedJob()]],
  'hosts retry': ['host_retry', () => ['far.test']],
  'blocks add': ['host_block', () => ['loud.test']],
  'blocks remove': ['host_unblock', () => block('loud.test').then(() => ['loud.test'])],
  'blocks import': ['host_block', async () => [await fileOf('loud.test\nlouder.test\n')]],
  'emoji reload': ['reload_emoji', () => []],
  'config set': ['config_update', () => ['captcha.enabled', 'false']],
  'config reset': ['config_update', () => ['instance.name']],
  'media proxy ban': ['media_proxy_ban', () => [FILE]],
  'media proxy unban': [
    'media_proxy_unban',
    () =>
      app
        .get(MediaBansService)
        .ban([FILE])
        .then(() => [FILE]),
  ],
  'media proxy purge': ['media_proxy_purge', () => [FILE]],
  'relay follow': ['relay_follow', () => [RELAY]],
  'relay unfollow': ['relay_unfollow', () => ctl('relay', 'follow', RELAY).then(() => [RELAY])],
  'rules add': ['rule_create', () => ['Be kind']],
  'rules remove': ['rule_delete', async () => [(await app.get(RulesService).create({ text: 'Be kind' })).id]],
  'announcements add': ['announcement_create', () => ['Tea']],
  'announcements remove': [
    'announcement_delete',
    async () => [(await app.get(AnnouncementsService).create({ content: 'Tea' })).id],
  ],
};

/**
 * Those that only read; those about the machine, its files and its database, for which the staff has no route; and those about
 * single emoji and packs, of which routes make no entry either.
 */
const OTHERS =
  /^(?:migrate|doctor|setup|(?:backup|database|demo|feeds|keys|mail|storage) .*|media (?:clean|move)|emoji (?:import|set)|.* (?:list|show|search|dump|get|preview|export|banned))$/;

describe('The moderation log', () => {
  beforeEach(async () => {
    await app.world.person('root', { admin: true });
    await app.world.person('alice');
    await app.world.remote('bob', 'far.test');
  });

  it('is decided on for each command', () => {
    const names = commands.map(({ words }) => words.join(' '));
    expect(names.filter((name) => !OTHERS.test(name)).toSorted()).toEqual(Object.keys(WRITES).toSorted());
  });

  it.each(Object.entries(WRITES))('has one entry of the operator after "%s"', async (words, [action, argumentsOf]) => {
    const args = await argumentsOf();
    await app.sql('delete from moderation_log');
    expect(await ctl(...words.split(' '), ...args)).toMatchObject({ code: 0 });
    expect(await app.sql('select actor_id, action from moderation_log')).toEqual([{ actor_id: null, action }]);
  });

  it('has none after a command that is refused', async () => {
    for (const args of [
      ['rules', 'remove', '999'],
      ['announcements', 'add', ' '],
      ['media', 'proxy', 'unban', FILE],
      ['config', 'set', 'instance.limit', 'many'],
    ])
      expect((await ctl(...args)).code).toBe(1);
    expect(await app.sql('select from moderation_log')).toEqual([]);
  });

  it('names settings as the configuration API does', async () => {
    await ctl('config', 'set', 'captcha.enabled', 'false');
    await ctl('config', 'reset', 'instance.shout_limit');
    const log = await app.sql<{ message: string }>('select message from moderation_log order by id');
    expect(log.map(({ message }) => message)).toEqual([
      '@operator changed the configuration: :svc Svc.Captcha',
      '@operator changed the configuration: :svc :shout',
    ]);
  });
});

async function newInvite(): Promise<string> {
  return (await ctl('invite', 'create')).out.split('/').at(-1)!;
}

async function block(host: string): Promise<void> {
  await app.get(HostBlocksService).add([{ host, lists: ['reject'], reason: '' }]);
}
