import { UsersService } from '../../../src/accounts/index.js';
import { MediaBansService } from '../../../src/media/index.js';
import { post } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';
import { type CtlResult, runCtl } from '../../support/servers/ctl.js';

const failed = (err: string): CtlResult => ({ code: 1, out: '', err });

const app = useApp();

const ctl = (...args: string[]) => runCtl(app.variables, ...args);
/** The output of a successful command without complaints. */
const outputOf = async (...args: string[]): Promise<string> => {
  const { out, ...rest } = await ctl(...args);
  expect(rest).toEqual({ code: 0, err: '' });
  return out;
};
const shown = async (...args: string[]) => JSON.parse(await outputOf(...args, '--json')) as Record<string, unknown>;
const log = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

beforeEach(async () => {
  await app.world.person('alice');
  await app.world.remote('bob', 'far.test');
});

describe('account', () => {
  it('search and show find accounts of this and of other servers', async () => {
    const names = async (...args: string[]) =>
      (JSON.parse(await outputOf('account', 'search', '--json', ...args)) as { nickname: string }[]).map(
        ({ nickname }) => nickname,
      );
    expect(await names()).toEqual(['bob@far.test', 'alice']);
    expect(await names('--local')).toEqual(['alice']);
    expect(await names('--query', 'far.test')).toEqual(['bob@far.test']);
    expect(await ctl('account', 'search', '--limit', '1')).toMatchObject({
      code: 0,
      err: '1 more: --limit shows up to 1000.',
    });
    expect(await outputOf('account', 'show', '@bob@far.test')).toMatch(/^name +bob@far\.test\n.*\nlocal +no$/ms);
    expect(await shown('account', 'show', app.world.id('alice'))).toMatchObject({ nickname: 'alice', local: true });
    expect(await ctl('account', 'show', 'nobody')).toEqual(failed('There is no account nobody here.'));
  });

  it('suspends, silences and releases an account, as the administrative API does', async () => {
    await outputOf('account', 'deactivate', 'bob@far.test');
    expect(await shown('account', 'show', 'bob@far.test')).toMatchObject({ deactivated: true });
    expect(await outputOf('account', 'activate', 'bob@far.test')).toBe('@bob@far.test is active.');
    expect(await outputOf('account', 'tag', 'bob@far.test', 'mrf_tag:force-unlisted')).toBe(
      '@bob@far.test: mrf_tag:force-unlisted',
    );
    expect(await outputOf('account', 'untag', 'bob@far.test', 'mrf_tag:force-unlisted')).toBe('@bob@far.test: no tags');
    expect(await log()).toEqual([
      '@operator deactivated users: @bob@far.test',
      '@operator activated users: @bob@far.test',
      '@operator added the tags mrf_tag:force-unlisted to users: @bob@far.test',
      '@operator removed the tags mrf_tag:force-unlisted from users: @bob@far.test',
    ]);
  });

  it('makes a local account follow another one', async () => {
    await app.world.person('carol');
    expect(await outputOf('account', 'follow', 'alice', 'carol')).toBe('@alice follows, or asks to follow, @carol.');
    expect(await app.sql('select from follows')).toHaveLength(1);
    await outputOf('account', 'unfollow', 'alice', 'carol');
    expect(await app.sql('select from follows')).toHaveLength(0);
    expect(await ctl('account', 'follow', 'bob@far.test', 'carol')).toEqual(
      failed('@bob@far.test is on another server.'),
    );
    expect(await log()).toEqual(['@operator made @alice follow @carol', '@operator made @alice unfollow @carol']);
  });

  it('deletes an account of another server, only with --yes', async () => {
    const asked = await ctl('account', 'delete', 'bob@far.test');
    expect([asked.code, asked.err]).toEqual([
      1,
      expect.stringMatching(/^Nothing was deleted\. With --yes @bob@far\.test/),
    ]);
    await outputOf('account', 'delete', 'bob@far.test', '--yes');
    expect(await ctl('account', 'show', 'bob@far.test')).toEqual(failed('There is no account bob@far.test here.'));
    expect(await log()).toEqual(['@operator deleted users: @bob@far.test']);
  });
});

describe('a host with other letters than those of ASCII', () => {
  const stored = 'xn--bcher-kva.example';

  it.each([
    [['hosts', 'retry', 'Bücher.example'], 'will be tried again'],
    [['account', 'show', 'bob@Bücher.example'], `bob@${stored}`],
    [['account', 'search', '--query', 'Bücher.example'], `bob@${stored}`],
    [['account', 'deactivate', '@bob@Bücher.example'], `@bob@${stored} is deactivated`],
    [['account', 'follow', 'alice', 'bob@Bücher.example'], `@bob@${stored}`],
    [['blocks', 'preview', '*.Bücher.example'], `concerns ${stored}`],
    [['blocks', 'add', 'Bücher.example'], 'is blocked'],
    [['media', 'proxy', 'banned', '--query', 'Bücher.example'], `https://${stored}/tea.png`],
  ])('is found in Punycode: %j', async (args, answer) => {
    await app.world.remote('bob', stored);
    await app.sql(`insert into hosts (host, state) values ($1, 'dead')`, [stored]);
    await app.get(MediaBansService).ban([`https://${stored}/tea.png`]);
    const { out, err } = await ctl(...args);
    expect(out + err).toContain(answer);
    const named = await app.sql<{ id: string }>(`select data->'subject'->0->>'id' as id from moderation_log`);
    if (args[0] !== 'account') for (const { id } of named) expect(id).toBe(stored);
  });
});

describe('post', () => {
  it('shows a private post by its id, its page and its id on the network', async () => {
    const { id, uri } = await post(app, 'alice', 'For my followers', { visibility: 'private' });
    const out = await outputOf('post', 'show', id);
    expect(out).toMatch(/^author +@alice$/m);
    expect(out).toMatch(/\n\nFor my followers$/);
    for (const name of [uri, `${app.env.baseUrl}/notice/${id}`])
      expect(await shown('post', 'show', name)).toMatchObject({ id, visibility: 'private' });
    for (const name of ['nothing', 'https://far.test/1', 'A'.repeat(18)])
      expect(await ctl('post', 'show', name)).toEqual(failed(`There is no post ${name} here.`));
  });

  it('shows the text of a post under another brand', async () => {
    const { id } = await post(app, 'alice', 'Tea at ten');
    const shown = await runCtl({ ...app.variables, COMPAT_BRAND: 'acme' }, 'post', 'show', id);
    expect(shown).toEqual({ code: 0, out: expect.stringMatching(/\n\nTea at ten$/) as string, err: '' });
  });

  it('changes and deletes a post with entries of the operator in the log', async () => {
    const { id } = await post(app, 'alice', 'Too loud');
    expect(await outputOf('post', 'set', id, '--visibility', 'unlisted', '--sensitive')).toBe(
      `${id}: unlisted, sensitive`,
    );
    expect((await ctl('post', 'set', id)).code).toBe(2);
    const asked = await ctl('post', 'delete', id);
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining(`the post ${id} of @alice`)]);
    await outputOf('post', 'delete', id, '--yes');
    expect(await ctl('post', 'show', id)).toEqual(failed(`There is no post ${id} here.`));
    expect(await log()).toEqual([
      expect.stringContaining(`@operator changed status #${id}`),
      `@operator deleted status #${id}`,
    ]);
  });
});

describe('user', () => {
  it('makes links for new passwords and demands new ones, as the administrative API does', async () => {
    expect(await outputOf('user', 'reset-link', 'alice')).toMatch(/^https:\/\/svc\.test\/\S+$/);
    await outputOf('user', 'force-reset', 'alice');
    expect(await app.get(UsersService).verifyPassword('alice', 'correct horse battery')).toMatchObject({
      state: 'reset_required',
    });
    expect(await outputOf('user', 'resend-confirmation', 'alice')).toContain('letter');
    expect(await log()).toEqual([
      '@operator made a link for a new password of users: @alice',
      '@operator demanded a new password of users: @alice',
      '@operator sent another letter of confirmation to users: @alice',
    ]);
  });
});
