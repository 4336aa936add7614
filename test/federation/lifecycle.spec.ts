import type { AccountJson } from '../../src/accounts/index.js';
import { MovesService } from '../../src/accounts/index.js';
import { ReportsService } from '../../src/admin/index.js';
import { ReportReceived } from '../../src/federation/index.js';
import { type Member, usePair } from '../support/federation/servers.js';
import { picture } from '../support/fixtures/media-files.js';
import { ok } from '../support/fixtures/statuses.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { countQueries } from '../support/queries.js';

/** The statement that identifies the caller. */
const RESOLVE = 'oauth.resolve';

const pair = usePair();
let casts = 0;

/** Creates new accounts: alice and carol on alpha, bob on beta, who follows alice. */
async function cast(): Promise<{ alice: Member; carol: Member; bob: Member }> {
  casts += 1;
  const { alpha, beta } = pair;
  const [alice, carol] = await Promise.all([alpha.member(`alice${casts}`), alpha.member(`carol${casts}`)]);
  const bob = await beta.member(`bob${casts}`);
  await bob.follow(alice);
  await pair.settle();
  return { alice, carol, bob };
}
const seen = async (reader: Member, other: Member) =>
  ok<AccountJson>(reader.get(`/api/v1/accounts/${await reader.idOf(other)}`));

describe('an edited profile', () => {
  it('is shown on the other server', async () => {
    const { alice, bob } = await cast();
    const form = pair.alpha.http
      .patch('/api/v1/accounts/update_credentials')
      .set('authorization', `Bearer ${alice.token}`)
      .field('display_name', 'Alice in Tea')
      .field('note', 'drinks tea')
      .field('bot', 'true')
      .field('fields_attributes[0][name]', 'cup')
      .field('fields_attributes[0][value]', 'blue')
      .attach('avatar', await picture(), 'face.png');
    const own = (await form.expect(200)).body as AccountJson;
    await pair.settle();
    const copy = await seen(bob, alice);
    expect(copy).toMatchObject({
      acct: alice.handle,
      display_name: 'Alice in Tea',
      note: own.note,
      bot: true,
      fields: [{ name: 'cup', value: 'blue' }],
      url: own.url,
    });
    expect(copy.avatar).toContain(own.avatar.split('/').at(-1));
  });

  it('shows on the other server that the account became locked', async () => {
    const { alice, bob } = await cast();
    await ok(alice.patch('/api/v1/accounts/update_credentials', { locked: true }));
    await pair.settle();
    expect(await seen(bob, alice)).toMatchObject({ locked: true });
  });
});

describe('a move', () => {
  it('moves the remote followers to the new account', async () => {
    const { alice, carol, bob } = await cast();
    await ok(carol.put('/api/svc/aliases', { alias: alice.handle }));
    await pair.settle();
    expect(await pair.alpha.get(MovesService).move(alice.id, carol.id)).toBe(true);
    await pair.settle();
    expect(await bob.relationTo(carol)).toMatchObject({ following: true });
    expect(await bob.relationTo(alice)).toMatchObject({ following: false });
    expect(await bob.notifications('move')).toMatchObject([
      { account: { acct: alice.handle }, target: { acct: carol.handle } },
    ]);
    expect(await seen(bob, alice)).toMatchObject({ moved: { acct: carol.handle } });
    const followers = await ok<AccountJson[]>(carol.get(`/api/v1/accounts/${carol.id}/followers`));
    expect(followers.map(({ acct }) => acct)).toEqual([bob.handle]);
  });

  it('to a remote account moves the followers of the old account', async () => {
    const { alice, bob, carol } = await cast();
    await carol.follow(alice);
    const dave = await pair.beta.member(`dave${casts}`);
    await ok(dave.put('/api/svc/aliases', { alias: alice.handle }));
    const target = await alice.idOf(dave);
    expect(await pair.alpha.get(MovesService).move(alice.id, target)).toBe(true);
    await pair.settle();
    expect(await carol.relationTo(dave)).toMatchObject({ following: true });
    const followers = await ok<AccountJson[]>(dave.get(`/api/v1/accounts/${dave.id}/followers`));
    expect(followers.map(({ acct }) => acct).sort()).toEqual([bob.nickname, carol.handle].sort());
  });
});

describe('a report', () => {
  it('is filed on the server of the reported account, with the posts, in the name of the reporting server', async () => {
    const { alice, bob } = await cast();
    const post = await alice.write('spam');
    await pair.settle();
    const here = (await bob.copyOf(post))!;
    const report = { account_id: await bob.idOf(alice), status_ids: [here.id], comment: 'spam', forward: true };
    await ok(bob.post('/api/v1/reports', report));
    await pair.settle();
    const filed = await pair.alpha.sql(
      `select r.comment, a.ap_id as by, t.ap_id as about,
         (select array_agg(status_id) from report_statuses s where s.report_id = r.id) as posts
       from reports r join accounts t on t.id = r.account_id left join accounts a on a.id = r.actor_id`,
    );
    expect(filed).toEqual([
      { comment: 'spam', by: `${pair.beta.url}/internal/fetch`, about: alice.uri, posts: [post.id] },
    ]);
  });

  it('is filed once even when its job runs twice', async () => {
    const { alice, bob } = await cast();
    const reports = pair.alpha.get(ReportsService);
    const [bobHere] = await pair.alpha.sql<{ id: string }>('select id from accounts where ap_id = $1', [bob.uri]);
    const received = new ReportReceived('AReport00000000001', bobHere!.id, alice.id, [], 'twice');
    for (let run = 0; run < 2; run += 1) await reports.fileReceived(received);
    expect(await pair.alpha.sql(`select id from reports where comment = 'twice'`)).toEqual([{ id: received.reportId }]);
  });

  it('stays on the server of the reporter unless it is forwarded', async () => {
    const { alice, bob } = await cast();
    await ok(
      bob.post('/api/v1/reports', { account_id: await bob.idOf(alice), comment: 'for our staff', forward: false }),
    );
    await pair.settle();
    expect(await pair.alpha.sql(`select from reports where comment = 'for our staff'`)).toEqual([]);
  });
});

describe('a deleted account', () => {
  it('disappears from the other server with its posts and relations', async () => {
    const { alice, bob } = await cast();
    const post = await alice.write('tea');
    await pair.settle();
    await bob.act(post, 'reblog');
    await ok(alice.post('/api/svc/delete_account', { password: PASSWORD }));
    await pair.settle();
    expect(await bob.copyOf(post)).toBeUndefined();
    expect(await pair.beta.sql('select from statuses where uri = $1', [post.uri])).toEqual([]);
    const [row] = await pair.beta.sql<{ id: string; gone: boolean }>(
      'select id, deleted_at is not null as gone from accounts where ap_id = $1',
      [alice.uri],
    );
    expect(row).toMatchObject({ gone: true });
    expect(await pair.beta.sql('select from follows where followee_id = $1', [row!.id])).toEqual([]);
    await bob.get(`/api/v1/accounts/${row!.id}`).expect(404);
  });

  it('is removed from the followers of accounts on the other server', async () => {
    const { alice, bob } = await cast();
    await ok(bob.post('/api/svc/delete_account', { password: PASSWORD }));
    await pair.settle();
    expect(await ok<unknown>(alice.get(`/api/v1/accounts/${alice.id}/followers`))).toEqual([]);
  });
});

describe('the home page', () => {
  it('loads posts of remote authors with three statements', async () => {
    const { alice, carol, bob } = await cast();
    await bob.follow(carol);
    await pair.settle();
    await bob.home(); // marks bob as active: posts are not added to the feeds of inactive readers
    for (let n = 0; n < 5; n += 1) {
      await alice.write(`tea ${n} @${carol.nickname}`);
      await carol.write(`fog ${n}`);
    }
    await pair.settle();
    expect(await bob.home()).toHaveLength(10);
    pair.beta.invalidateReads();
    const { statements } = await countQueries(() => bob.home());
    expect(statements.filter((name) => name !== RESOLVE)).toHaveLength(3);
  });
});
