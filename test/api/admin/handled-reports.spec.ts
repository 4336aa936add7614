import type { FiledReportJson, ReportGroupsJson, ReportPageJson, StaffReportJson } from '../../../src/admin/index.js';
import { RulesService } from '../../../src/instance/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/svc/admin/reports';
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';
const NOT_FOUND = 'Not found';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
});

const id = (nickname: string) => app.world.id(nickname);

async function file(who = 'alice', values: object = {}): Promise<string> {
  const client = await app.world.as(who);
  const report = await ok<FiledReportJson>(client.post('/api/v1/reports', { account_id: id('bob'), ...values }));
  return report.id;
}

const list = (query: object = {}) => ok<ReportPageJson>(root.get(PATH, { ...query }));
const show = (reportId: string) => ok<StaffReportJson>(root.get(`${PATH}/${reportId}`));
const change = (...reports: object[]) => root.patch(PATH, { reports });
const messages = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

describe('the list of reports', () => {
  it('contains all reports, the newest first, and can be filtered by state and by assigned account', async () => {
    const filed = [await file(), await file('carol'), await file()];
    const [first, second, third] = filed;
    await change({ id: second, state: 'resolved' }).expect(204);
    await root.post(`${PATH}/assign_account`, { reports: [{ id: third, nickname: 'root' }] }).expect(204);
    const ids = async (query: object = {}) => (await list(query)).reports.map((report) => report.id);
    expect(await ids()).toEqual([third, second, first]);
    expect(await ids({ state: 'open' })).toEqual([third, first]);
    expect(await ids({ state: 'resolved' })).toEqual([second]);
    expect(await ids({ state: '' })).toHaveLength(3);
    expect(await ids({ assigned_account: id('root') })).toEqual([third]);
    expect(await ids({ assigned_account: id('root'), state: 'closed' })).toEqual([]);
    expect(await list({ page: 2, page_size: 2 })).toMatchObject({ total: 3, reports: [{ id: first }] });
    expect(await list({ limit: 1 })).toMatchObject({ total: 3, reports: [{ id: third }] });
    expect(await list({ page: 9 })).toEqual({ total: 3, reports: [] });
    await root.get(PATH, { state: 'nonsense' }).expect(400);
  });

  it('can be filtered by a rule that the reporter named', async () => {
    const rule = await app.get(RulesService).create({ text: 'Be kind', hint: '' });
    const named = await file('alice', { rule_ids: [rule.id], category: 'violation' });
    await file();
    expect(await list({ rule_id: rule.id })).toMatchObject({ total: 1, reports: [{ id: named }] });
    expect(await list({ rule_id: rule.id, state: 'closed' })).toEqual({ total: 0, reports: [] });
    for (const ruleId of ['999', 'x', '9'.repeat(30)])
      expect(await list({ rule_id: ruleId })).toMatchObject({ total: 0 });
  });

  it('shows a report in full', async () => {
    const { id: statusId } = await post(app, 'bob', 'insult');
    const rule = await app.get(RulesService).create({ text: 'Be kind', hint: 'really' });
    const reportId = await file('alice', { status_ids: [statusId], comment: '<i>look</i>', rule_ids: [rule.id] });
    const report = await show(reportId);
    expect(report).toMatchObject({
      id: reportId,
      account: {
        id: id('bob'),
        acct: 'bob',
        nickname: 'bob',
        deactivated: false,
        roles: { admin: false },
        email: 'bob@mail.test',
      },
      actor: { id: id('alice'), nickname: 'alice' },
      content: '&lt;i&gt;look&lt;/i&gt;',
      state: 'open',
      statuses: [{ id: statusId, content: '<p>insult</p>' }],
      assigned_account: null,
      notes: [],
      rules: [{ id: rule.id, text: 'Be kind', hint: 'really' }],
    });
    expect((await list()).reports).toEqual([report]);
    expect((await root.get(`${PATH}/${UNKNOWN}`).expect(404)).body).toEqual({ error: NOT_FOUND });
  });
});

describe('the states of reports', () => {
  it('can change in any order, and the posts are kept for reopening', async () => {
    const { id: statusId } = await post(app, 'bob', 'insult');
    const reportId = await file('alice', { status_ids: [statusId] });
    await ok((await app.world.as('bob')).delete(`/api/v1/statuses/${statusId}`));
    for (const state of ['closed', 'resolved', 'resolved', 'open']) {
      expect((await change({ id: reportId, state }).expect(204)).text).toBe('');
      expect(await show(reportId)).toMatchObject({ state, statuses: [{ id: statusId, content: '<p>insult</p>' }] });
    }
    expect(await messages()).toEqual(
      ['closed', 'resolved', 'resolved', 'open'].map(
        (state) => `@root set the state of report #${reportId} about @bob to ${state}`,
      ),
    );
    expect(await app.sql('select from report_statuses where expires_at is not null')).toEqual([]);
  });

  it('keep the posts for 90 days after the report was closed first', async () => {
    const { id: statusId } = await post(app, 'bob', 'insult');
    const reportId = await file('alice', { status_ids: [statusId] });
    const expiry = () => app.sql('select expires_at from report_statuses');
    await change({ id: reportId, state: 'closed' }).expect(204);
    const closed = await expiry();
    for (const state of ['closed', 'resolved']) await change({ id: reportId, state }).expect(204);
    expect(await expiry()).toEqual(closed);
    for (const state of ['open', 'closed']) await change({ id: reportId, state }).expect(204);
    expect(await expiry()).not.toEqual(closed);
  });

  it('are changed for valid entries, and each invalid entry gets an error', async () => {
    const [first, second] = [await file(), await file()];
    const changes = [
      { id: UNKNOWN, state: 'closed' },
      { id: first, state: 'gone' },
      { id: second, state: 'closed' },
    ];
    expect((await change(...changes).expect(400)).body).toEqual([
      { id: UNKNOWN, error: NOT_FOUND },
      { id: first, error: 'Unsupported state' },
    ]);
    expect(await list({ state: 'open' })).toMatchObject({ total: 1, reports: [{ id: first }] });
    expect(await messages()).toHaveLength(1);
    for (const body of [{}, { reports: [{ id: first }] }, { reports: [{ state: 'open' }] }]) {
      await root.patch(PATH, body).expect(400);
    }
  });
});

describe('the assigned account of a report', () => {
  const assign = (...reports: object[]) => root.post(`${PATH}/assign_account`, { reports });

  it('can be any local account or none', async () => {
    const reportId = await file();
    await assign({ id: reportId, nickname: 'root' }).expect(204);
    expect(await show(reportId)).toMatchObject({ assigned_account: { id: id('root') } });
    await assign({ id: reportId, nickname: null }).expect(204);
    expect(await show(reportId)).toMatchObject({ assigned_account: null });
    expect(await messages()).toEqual([
      `@root assigned report #${reportId} about @bob to @root`,
      `@root assigned report #${reportId} about @bob to nobody`,
    ]);
  });

  it('stays when an entry has no nickname; only null removes it', async () => {
    const reportId = await file();
    await assign({ id: reportId, nickname: 'root' }).expect(204);
    await assign({ id: reportId }).expect(400);
    expect(await show(reportId)).toMatchObject({ assigned_account: { id: id('root') } });
  });

  it('is refused for each entry separately', async () => {
    await app.world.remote('zoe', 'b.example');
    const reportId = await file();
    const entries = [
      { id: UNKNOWN, nickname: 'root' },
      { id: reportId, nickname: 'nobody' },
      { id: reportId, nickname: 'zoe@b.example' },
      { id: reportId, nickname: 'root' },
    ];
    expect((await assign(...entries).expect(400)).body).toEqual([
      { id: UNKNOWN, error: NOT_FOUND },
      { id: reportId, error: 'Account not found' },
      { id: reportId, error: 'Account not found' },
    ]);
    expect(await show(reportId)).toMatchObject({ assigned_account: { id: id('root') } });
  });
});

describe('notes on a report', () => {
  it('are added and removed', async () => {
    const reportId = await file();
    await root.post(`${PATH}/${reportId}/notes`, { content: 'first' }).expect(204);
    await root.post(`${PATH}/${reportId}/notes`, { content: 'second' }).expect(204);
    const { notes } = await show(reportId);
    expect(notes).toMatchObject([
      { content: 'first', user_id: id('root'), user: { nickname: 'root' } },
      { content: 'second', user_id: id('root') },
    ]);
    await root.delete(`${PATH}/${reportId}/notes/${notes[0]!.id}`).expect(204);
    expect((await show(reportId)).notes).toEqual([notes[1]]);
    expect(await messages()).toEqual([
      `@root added a note to report #${reportId} about @bob: first`,
      `@root added a note to report #${reportId} about @bob: second`,
      `@root removed a note from report #${reportId} about @bob: first`,
    ]);
  });

  it('require a text and a report, and are removed only from their own report', async () => {
    const [reportId, other] = [await file(), await file()];
    await root.post(`${PATH}/${reportId}/notes`, { content: 'note' }).expect(204);
    const [note] = (await show(reportId)).notes;
    const refused = [
      root.post(`${PATH}/${reportId}/notes`),
      root.post(`${PATH}/${reportId}/notes`, { content: ' ' }),
      root.post(`${PATH}/${UNKNOWN}/notes`, { content: 'note' }),
      root.delete(`${PATH}/${reportId}/notes/${note!.id + 1}`),
      root.delete(`${PATH}/${other}/notes/${note!.id}`),
      root.delete(`${PATH}/${reportId}/notes/x`),
    ];
    for (const request of refused) expect((await request.expect(400)).body).toBe('Invalid parameters');
    expect(await messages()).toHaveLength(1);
  });
});

describe('grouped reports', () => {
  const groups = async () => (await ok<ReportGroupsJson>(root.get('/api/v1/svc/admin/grouped_reports'))).reports;

  it('list each reported post with its open reports', async () => {
    const [one, two] = [await post(app, 'bob', 'one'), await post(app, 'bob', 'two')];
    const first = await file('alice', { status_ids: [two.id, one.id] });
    const second = await file('carol', { status_ids: [one.id] });
    const third = await file('carol', { status_ids: [one.id] });
    await file('alice');
    const date = (await show(third)).created_at;
    expect(await groups()).toMatchObject([
      {
        date,
        account: { id: id('bob') },
        status: { id: one.id, content: '<p>one</p>' },
        actors: [{ id: id('carol') }, { id: id('alice') }],
        reports: [{ id: third }, { id: second }, { id: first }],
      },
      { status: { id: two.id }, actors: [{ id: id('alice') }], reports: [{ id: first }] },
    ]);
    await change({ id: first, state: 'closed' }, { id: third, state: 'resolved' }).expect(204);
    expect(await groups()).toMatchObject([{ status: { id: one.id }, reports: [{ id: second }] }]);
  });
});

describe.each(['/api/v1/svc/admin', '/api/svc/admin'])('the routes under %s', (prefix) => {
  it('A1 are for administrators only', async () => {
    const reportId = await file();
    for (const client of [app.world.anonymous, await app.world.as('alice', 'admin')]) {
      const refused = [
        client.get(`${prefix}/reports`),
        client.get(`${prefix}/grouped_reports`),
        client.get(`${prefix}/reports/${reportId}`),
        client.patch(`${prefix}/reports`, { reports: 'nonsense' }),
        client.post(`${prefix}/reports/assign_account`),
        client.post(`${prefix}/reports/${reportId}/notes`),
        client.delete(`${prefix}/reports/${reportId}/notes/1`),
      ];
      const error = client.token ? 'User is not an admin.' : 'Invalid credentials.';
      for (const request of refused) expect((await request.expect(403)).body).toEqual({ error });
    }
  });
});
