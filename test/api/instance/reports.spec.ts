import {
  type FiledReportJson,
  FiledReportShape,
  type ReportJson,
  ReportShape,
  ReportsService,
} from '../../../src/admin/index.js';
import { BlocksService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { FlakeIds, JobRepository } from '../../../src/platform/index.js';
import { JobRunner } from '../../../src/platform/jobs/job-runner.js';
import { UnmarkedCopies1764000330000 } from '../../../src/migrations/instance/1764000330000-unmarked-copies.js';
import { RulesService } from '../../../src/instance/index.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';
import { receivedBy, notificationsOf } from '../../support/fixtures/notifications.js';
import { checkShape } from '../../support/shape.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/reports';
const STATUSES = '/api/v1/statuses';
const REPORTS = { include_types: ['svc:report'] };

const mails = useMails();
const app = useApp({ people: ['alice', 'bob', 'carol'], env: () => ({ SMTP_URL: mails.url }) });
let alice: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);

async function file(values: object = {}, client = alice): Promise<FiledReportJson> {
  const report = await ok<FiledReportJson>(client.post(PATH, { account_id: id('bob'), ...values }));
  expect(checkShape(FiledReportShape, report)).toEqual([]);
  return report;
}

/** The report notifications of a staff account, newest first. */
async function reportsOf(nickname = 'root'): Promise<ReportJson[]> {
  const reports = (await notificationsOf(app, nickname, REPORTS)).map(({ report }) => report as ReportJson);
  for (const report of reports) expect(checkShape(ReportShape, report)).toEqual([]);
  return reports;
}

/** The stored copies of a report's posts. */
async function copiesOf({ id: reportId }: FiledReportJson): Promise<object[]> {
  const rows = await app.sql<{ copy: object }>(
    'select copy from report_statuses where report_id = $1 order by status_id',
    [reportId],
  );
  return rows.map(({ copy }) => copy);
}

describe('a report', () => {
  it('is returned in full', async () => {
    const { id: statusId } = await post(app, 'bob', 'insult');
    const rule = await app.get(RulesService).create({ text: 'Be kind', hint: 'really' });
    const report = await file({
      status_ids: [statusId],
      comment: 'look at <b>this</b>',
      forward: true,
      rule_ids: [rule.id],
      category: 'violation',
    });
    expect(report).toEqual({
      id: expect.any(String),
      action_taken: false,
      action_taken_at: null,
      category: 'violation',
      comment: 'look at <b>this</b>',
      forwarded: false, // bob is a local user
      created_at: expect.any(String),
      status_ids: [statusId],
      rule_ids: [rule.id],
      target_account: await ok(alice.get(`/api/v1/accounts/${id('bob')}`)),
    });
    expect(await file()).toMatchObject({
      comment: '',
      forwarded: false,
      category: 'other',
      status_ids: [],
      rule_ids: [],
    });
    const { id: zoe } = await app.world.remote('zoe', 'b.example');
    expect(await file({ account_id: zoe, forward: true })).toMatchObject({ forwarded: true });
    expect(await file({ account_id: zoe })).toMatchObject({ forwarded: false });
  });

  it('keeps copies of the posts after edits and deletions', async () => {
    const { id: statusId } = await post(app, 'bob', 'insult');
    await ok(alice.post(`/api/v1/statuses/${statusId}/favourite`));
    await file({ status_ids: [statusId], comment: 'look at <b>this</b>' });
    await ok((await app.world.as('bob')).delete(`/api/v1/statuses/${statusId}`));
    const [report] = await reportsOf();
    expect(report).toMatchObject({
      account: { id: id('bob') },
      actor: { id: id('alice') },
      content: 'look at &lt;b&gt;this&lt;/b&gt;',
      state: 'open',
      statuses: [{ id: statusId, content: '<p>insult</p>', favourited: false, account: { id: id('bob') } }],
      assigned_account: null,
      notes: [],
      rules: [],
    });
  });

  it('shows the staff nothing of what its reporter marked, filtered or voted', async () => {
    await app.world.person('dora');
    const bob = await app.world.as('bob');
    const poll = await post(app, 'bob', 'insult', { poll: { options: ['tea', 'milk'], expires_in: 3_600 } });
    const loved = await post(app, 'dora', 'insult by dora');
    const boost = await ok(bob.post(`${STATUSES}/${loved.id}/reblog`));
    const quote = await post(app, 'bob', 'insult, see', { quote_id: loved.id });
    const message = await post(app, 'bob', '@alice insult', { visibility: 'direct' });
    await app.drain();
    const filed = [poll, boost, quote, message].map((status) => status.id);

    const keywords = [{ keyword: 'insult' }];
    await ok(alice.post('/api/v2/filters', { title: 'My fears', context: ['home'], keywords_attributes: keywords }));
    const folder = await ok<{ id: string }>(alice.post('/api/v1/svc/bookmark_folders', { name: 'Evidence' }));
    await ok(alice.post(`/api/v1/polls/${poll.poll!.id}/votes`, { choices: [1] }));
    await ok(alice.put(`/api/v1/svc/statuses/${poll.id}/reactions/🍵`));
    for (const path of [poll, loved, quote, message].map((status) => `${STATUSES}/${status.id}`)) {
      await ok(alice.post(`${path}/bookmark`, { folder_id: folder.id }));
      await ok(alice.post(`${path}/favourite`));
      await ok(alice.post(`${path}/mute`));
    }
    const seen = await Promise.all(filed.map((statusId) => ok<object>(alice.get(`${STATUSES}/${statusId}`))));
    await ok(alice.patch('/api/v1/accounts/update_credentials', { no_rich_text: true }));
    const copies = await copiesOf(await file({ status_ids: filed }));
    expect(copies).toMatchObject([{}, {}, {}, { svc: { direct_conversation_id: null }, favourited: false }]);
    const others = await file({ status_ids: filed }, await app.world.as('carol')); // who marked nothing
    expect(copies.slice(0, 3)).toEqual(await copiesOf(others));

    // Copies from before.
    for (const [index, statusId] of filed.entries())
      await app.sql('update report_statuses set copy = $1 where status_id = $2', [
        JSON.stringify(seen[index]),
        statusId,
      ]);
    const { statements } = new UnmarkedCopies1764000330000() as unknown as { statements: string };
    await app.sql(statements);
    expect(await copiesOf(others)).toEqual(copies.slice(0, 3));
  });

  it('V3 holds only posts of the account that the reporter may see, and existing rules', async () => {
    const visible = await post(app, 'bob', 'public');
    const mine = await post(app, 'alice', 'mine');
    const secret = await post(app, 'bob', 'secret', { visibility: 'private' });
    const message = await post(app, 'bob', '@alice for you', { visibility: 'direct' });
    const other = await post(app, 'bob', '@carol not for you', { visibility: 'direct' });
    const ids = [visible, mine, secret, message, other].map((status) => status.id);
    const report = await file({ status_ids: [...ids, visible.id, 'nonsense', '9'], rule_ids: ['999', 'x'] });
    expect([...report.status_ids].sort()).toEqual([visible.id, message.id].sort());
    expect(report.rule_ids).toEqual([]);
    const [{ statuses } = { statuses: [] }] = await reportsOf();
    expect(JSON.stringify(statuses)).not.toMatch(/secret|not for you|mine/);
  });

  it('can be filed despite blocks, and about remote accounts', async () => {
    await app.get(BlocksService).block(id('bob'), id('alice'), {});
    await app.get(BlocksService).block(id('alice'), id('bob'), {});
    await file();
    const { id: remote } = await app.world.remote('mallory', 'evil.example');
    expect((await file({ account_id: remote })).target_account).toMatchObject({ acct: 'mallory@evil.example' });
  });

  it('limits the length of its comment', async () => {
    await alice.post(PATH, { account_id: id('bob'), comment: '🐈'.repeat(1_000) }).expect(200);
    const error = 'Comment must be up to 1000 characters';
    await alice.post(PATH, { account_id: id('bob'), comment: 'x'.repeat(1_001) }).expect(400, { error });
    await alice.post(PATH, { account_id: id('bob'), status_ids: Array.from({ length: 101 }, String) }).expect(400);
    await alice.post(PATH, { account_id: id('bob'), category: 'nonsense' }).expect(400);
    expect(await reportsOf()).toHaveLength(1);
  });

  it.each([3, 2_000])('has a comment of up to `instance.max_report_comment_size` characters: %i', async (limit) => {
    await app.get(SettingsService).update([{ path: 'instance.max_report_comment_size', value: limit }]);
    expect(await file({ comment: 'e\u0301'.repeat(limit) })).toMatchObject({ comment: 'e\u0301'.repeat(limit) });
    const error = `Comment must be up to ${limit} characters`;
    await alice.post(PATH, { account_id: id('bob'), comment: 'x'.repeat(limit + 1) }).expect(400, { error });
    const received = { reportId: app.get(FlakeIds).next(), actorId: id('carol'), accountId: id('bob'), statusIds: [] };
    await app.get(ReportsService).fileReceived({ ...received, comment: 'y'.repeat(limit + 1) });
    expect(
      (await app.sql<{ comment: string }>('select comment from reports where id = $1', [received.reportId]))[0],
    ).toMatchObject({ comment: expect.stringMatching(new RegExp(`^.{${limit}}$`, 'u')) });
  });

  it('requires an account', async () => {
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('carol')]);
    for (const account of ['nobody', '9', id('bob').slice(0, -1), id('carol')]) {
      await alice.post(PATH, { account_id: account }).expect(400, { error: 'Account not found' });
    }
    await alice.post(PATH, {}).expect(400);
    expect(await reportsOf()).toEqual([]);
  });

  it('requires the scope to write reports', async () => {
    await app.world.anonymous.post(PATH, { account_id: id('bob') }).expect(401);
    await (await app.world.asApp('write')).post(PATH, { account_id: id('bob') }).expect(401);
    await (await app.world.as('alice', 'read', 'write:statuses')).post(PATH, { account_id: id('bob') }).expect(403);
    await file({}, await app.world.as('alice', 'write:reports'));
  });

  it('is deleted with the reported account, but not with the reporter', async () => {
    await file();
    await app.sql('delete from accounts where id = $1', [id('alice')]);
    expect(await app.sql('select account_id, actor_id from reports')).toEqual([
      { account_id: id('bob'), actor_id: null },
    ]);
    await app.sql('delete from accounts where id = $1', [id('bob')]);
    expect(await app.sql('select from reports')).toEqual([]);
  });
});

describe('the staff of the server', () => {
  it('receives report notifications on request; other accounts do not', async () => {
    await app.world.person('mod');
    await app.sql('update users set is_moderator = true where account_id = $1', [id('mod')]);
    await app.get(SettingsService).update([{ path: 'instance.moderator_privileges', value: ['admin:read:reports'] }]);
    const { id: reportId } = await file();
    await app.drain();
    for (const person of ['root', 'mod']) {
      expect(await receivedBy(app, person, REPORTS)).toEqual(['svc:report alice']);
      expect(await receivedBy(app, person)).toEqual([]);
    }
    expect((await reportsOf()).map((report) => report.id)).toEqual([reportId]);
    for (const person of ['alice', 'bob', 'carol']) expect(await receivedBy(app, person, REPORTS)).toEqual([]);
  });

  it('receives them despite filters on strangers, but not for its own reports', async () => {
    await app.sql(`update users set notification_settings = '{"block_from_strangers": true}'`);
    await file();
    await file({}, await app.world.as('root'));
    expect(await receivedBy(app, 'root', REPORTS)).toEqual(['svc:report alice']);
  });

  it('is notified once, even if the job runs twice', async () => {
    await file();
    await app.sql(
      `insert into jobs (name, queue, payload) select name, queue, payload from jobs where queue <> 'maintenance'`,
    );
    expect(await reportsOf()).toHaveLength(1);
  });

  it('loses access to reports with the role', async () => {
    await file();
    const [notification] = await notificationsOf(app, 'root', REPORTS);
    await app.sql('update users set is_admin = false where account_id = $1', [id('root')]);
    const root = await app.world.as('root');
    expect(await receivedBy(app, 'root', REPORTS)).toEqual([]);
    await root.get(`/api/v1/notifications/${notification!.id}`).expect(404);
  });

  it('gets a mail each, in its language, without the content of the report', async () => {
    await app.world.person('nomail');
    await app.sql(`update users set is_admin = true, email = null where account_id = $1`, [id('nomail')]);
    await app.sql(`update users set locale = 'de' where account_id = $1`, [id('root')]);
    const { id: statusId } = await post(app, 'bob', 'insult');
    await file({ comment: 'very private', status_ids: [statusId] });
    await app.drain();
    expect(mails.all.map(({ to, headers }) => [to, headers.get('subject')])).toEqual([
      ['root@mail.test', 'bob wurde gemeldet'],
    ]);
    expect(mails.all[0]!.text).toContain('alice hat bob');
    expect(mails.all[0]!.text + mails.all[0]!.html).not.toMatch(/very private|insult/);
  });

  it('gets no mail as a moderator who may not read reports', async () => {
    await app.sql('update users set is_admin = false, is_moderator = true where account_id = $1', [id('root')]);
    const mailed = async (...value: string[]) => {
      await app.get(SettingsService).update([{ path: 'instance.moderator_privileges', value }]);
      await file();
      await app.drain();
      return mails.all.length;
    };
    expect(await mailed()).toBe(0);
    expect(await mailed('admin:read:reports')).toBe(1);
  });

  it('gets no second mail when the process dies after it wrote the jobs of the mails', async () => {
    await file();
    const jobs = await app.get(JobRepository).claim([{ queue: 'mail', free: 9 }]);
    const dead = () => Promise.resolve(); // removes no job that is done
    for (const job of jobs) await app.get(JobRunner).run(job, dead);
    await app.drain();
    await app.sql('update jobs set run_at = now()'); // the leases end
    await app.drain();
    expect(mails.all.map(({ to }) => to)).toEqual(['root@mail.test']);
  });
});

it('gets no mail without a mail server', async () => {
  const silent = await startApp();
  try {
    await silent.world.persons('alice', 'bob');
    await silent.world.person('root', { admin: true });
    const client = await silent.world.as('alice');
    await client.post(PATH, { account_id: silent.world.id('bob') }).expect(200);
    await silent.drain();
    expect(await silent.sql(`select from jobs where queue = 'mail'`)).toEqual([]);
    expect(await receivedBy(silent, 'root', REPORTS)).toEqual(['svc:report alice']);
  } finally {
    await silent.close();
  }
});
