import type { FiledReportJson, ReportJson } from '../../src/admin/index.js';
import { SettingsService } from '../../src/config/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import { wordsOf } from '../support/pages.js';
import { countQueries } from '../support/queries.js';
import { useApp } from '../support/servers/app.js';

const REPORTS = '/app/staff/reports';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let visit: BrowserVisit;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  visit = await new BrowserVisit(app).signIn('root');
});

const id = (name: string) => app.world.id(name);
const root = () => app.world.as('root', 'admin');
const report = async (values: object = {}) =>
  (
    await ok<FiledReportJson>(
      (await app.world.as('alice')).post('/api/v1/reports', { account_id: id('bob'), ...values }),
    )
  ).id;
const shownReport = async (reportId: string) =>
  ok<ReportJson>((await root()).get(`/api/v1/svc/admin/reports/${reportId}`));
const log = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

/** Signs carol in as a moderator with these privileges. */
async function moderator(...privileges: string[]): Promise<BrowserVisit> {
  await app.sql('update users set is_moderator = true where account_id = $1', [id('carol')]);
  await app.get(SettingsService).update([{ path: 'instance.moderator_privileges', value: privileges }]);
  return new BrowserVisit(app).signIn('carol');
}

describe('the pages of the staff', () => {
  it('show moderators only the sections of their privileges, and no e-mail address', async () => {
    const reportId = await report();
    const carol = await moderator('admin:read:reports');
    const { text, status } = await carol.get('/app/staff');
    expect([status, text.includes(`href="${REPORTS}"`), text.includes('/app/staff/posts')]).toEqual([200, true, false]);
    const page = await carol.get(`${REPORTS}/${reportId}`);
    expect(page.text).not.toMatch(/@mail\.test|\/app\/staff\/accounts|formaction="\/app\/staff/);
    await carol.get('/app/home');
    const token = { _csrf: carol.field('_csrf')!, state: 'closed' };
    expect((await carol.post(`${REPORTS}/${reportId}/state`, token)).status).toBe(403);
    expect((await carol.get('/app/staff/posts')).status).toBe(403);
  });

  it('are closed to moderators without privileges', async () => {
    const carol = await moderator();
    expect((await carol.get('/app/staff')).status).toBe(403);
  });

  it('show the numbers of waiting entries', async () => {
    await report();
    await app.sql('update users set is_approved = false where account_id = $1', [id('carol')]);
    const { result, statements } = await countQueries(() => visit.get('/app/staff'));
    expect(wordsOf(result)).toMatch(/Reports 1 .*Sign-ups 1 .*Open reports 1 .*Sign-ups to approve 1 /);
    expect(statements.filter((name) => /count\(|waiting/i.test(name))).toEqual(['reports.waiting']);
  });
});

describe('the page of a report', () => {
  it('shows the comment as text, and the stored copy of a deleted post', async () => {
    const { id: statusId } = await post(app, 'bob', 'insult');
    const reportId = await report({ status_ids: [statusId], comment: '<i>look</i>' });
    expect((await visit.get(REPORTS)).text).toContain(`${REPORTS}/${reportId}`);
    await ok((await app.world.as('bob')).delete(`/api/v1/statuses/${statusId}`));
    const { text } = await visit.get(`${REPORTS}/${reportId}`);
    expect(text).toContain('&lt;i&gt;look&lt;/i&gt;');
    expect(text).toContain('insult');
    expect(text).toContain('This post is deleted.');
    expect(text).not.toContain(`posts/${statusId}/delete`);
    expect((await visit.get(`${REPORTS}/AAAAAAAAAAAAAAAAAA`)).status).toBe(404);
  });

  it('shows copies from before a change of the brand under the present one', async () => {
    const { id: file } = await upload(app, 'bob');
    const { id: statusId } = await post(app, 'bob', 'insult', { media_ids: [file] });
    const reportId = await report({ status_ids: [statusId] });
    const before = await shownReport(reportId);
    await app.sql(`update report_statuses set copy = replace(copy::text, '"svc":', '"acme":')::jsonb`);
    expect((await visit.get(`${REPORTS}/${reportId}`)).text).toContain('insult');
    expect((await shownReport(reportId)).statuses).toEqual(before.statuses);
  });

  it('handles the report with the entries in the log that the API makes', async () => {
    const { id: statusId } = await post(app, 'bob', 'insult');
    const reportId = await report({ status_ids: [statusId] });
    const path = `${REPORTS}/${reportId}`;
    await visit.get(path);
    await visit.press(`${path}/assign`, { mine: 'true' });
    await visit.get(path);
    const refused = await visit.post(`${path}/notes`, { _csrf: visit.field('_csrf')!, content: ' \n' });
    expect(refused.status).toBe(400);
    await visit.post(`${path}/notes`, { _csrf: visit.field('_csrf')!, content: 'I look at it' });
    await visit.get(path);
    await visit.press(`/app/staff/posts/${statusId}/change`, { sensitive: 'true' });
    await visit.get(path);
    await visit.press(`/app/staff/posts/${statusId}/delete`);
    await visit.get(path);
    await visit.press(`/app/staff/accounts/${id('bob')}/actions/deactivate`);
    await visit.get(path);
    const done = await visit.press(`${path}/state`, { state: 'resolved' });
    expect([done.status, done.headers['location']]).toEqual([303, path]);
    expect(await shownReport(reportId)).toMatchObject({
      state: 'resolved',
      assigned_account: { id: id('root') },
      notes: [{ content: 'I look at it' }],
    });
    expect(await log()).toEqual([
      `@root assigned report #${reportId} about @bob to @root`,
      `@root added a note to report #${reportId} about @bob: I look at it`,
      `@root changed status #${statusId}: sensitive true`,
      `@root deleted status #${statusId}`,
      '@root deactivated users: @bob',
      `@root set the state of report #${reportId} about @bob to resolved`,
    ]);
    await visit.get(path);
    const [note] = (await shownReport(reportId)).notes;
    await visit.press(`${path}/notes/${note!.id}/delete`);
    expect((await shownReport(reportId)).notes).toEqual([]);
  });
});

describe('the posts of the staff', () => {
  it('lists the posts of an account, other than public ones on demand, and leaves the page of a deleted one', async () => {
    const { id: open } = await post(app, 'bob', 'hello');
    const { id: closed } = await post(app, 'bob', 'psst', { visibility: 'private' });
    const shown = async (query: string) => {
      const { text } = await visit.get(`/app/staff/posts?${query}`);
      return [open, closed].filter((each) => text.includes(`/app/staff/posts/${each}"`));
    };
    expect(await shown('account=bob')).toEqual([open]);
    expect(await shown('account=bob&every=true')).toEqual([open, closed]);
    expect(await shown('local=true')).toEqual([open]);
    expect((await visit.get('/app/staff/posts?account=nobody')).status).toBe(404);
    await visit.get(`/app/staff/posts/${closed}`);
    await visit.press(`/app/staff/posts/${closed}/change`, { visibility: 'public' });
    expect(await shown('account=bob')).toEqual([open, closed]);
    await visit.get(`/app/staff/posts/${closed}`);
    expect((await visit.press(`/app/staff/posts/${closed}/delete`)).headers['location']).toBe('/app/staff/posts');
    expect(await shown('account=bob&every=true')).toEqual([open]);
  });
});

describe('the accounts of the staff', () => {
  const users = '/app/staff/accounts';
  const one = (name: string) => `${users}/${id(name)}`;
  const press = async (name: string, action: string, fields: Record<string, string> = {}) => {
    await visit.get(one(name));
    return visit.press(`${one(name)}/actions/${action}`, fields);
  };
  const facts = async (name: string) => {
    const path = `/api/v1/svc/admin/users/${name}`;
    return ok<Record<string, unknown>>((await root()).get(path));
  };

  it('are searched by the filters of the API', async () => {
    await press('bob', 'deactivate');
    const names = async (query: Record<string, string>) => {
      const { text } = await visit.get(users, query);
      return ['alice', 'bob', 'carol', 'root'].filter((name) => text.includes(`href="${one(name)}"`));
    };
    expect(await names({})).toEqual(['alice', 'bob', 'carol', 'root']);
    expect(await names({ state: 'deactivated' })).toEqual(['bob']);
    expect(await names({ q: 'aro' })).toEqual(['carol']);
    expect(await names({ q: 'alice@mail', by: 'email' })).toEqual(['alice']);
    expect(await names({ role: 'is_admin' })).toEqual(['root']);
    expect(await names({ origin: 'external' })).toEqual([]);
  });

  it('change by their buttons, each with its entry in the log', async () => {
    await press('bob', 'deactivate');
    await press('bob', 'activate');
    await press('bob', 'tag', { tag: 'mrf_tag:sandbox' });
    await press('bob', 'grant-moderator');
    await press('bob', 'suggest');
    expect(await facts('bob')).toMatchObject({
      deactivated: false,
      tags: ['mrf_tag:sandbox'],
      roles: { moderator: true, admin: false },
      is_suggested: true,
    });
    const gone = await press('bob', 'delete');
    expect([gone.status, gone.headers['location']]).toEqual([303, users]);
    expect((await visit.get(one('bob'))).status).toBe(404);
    expect(await log()).toEqual([
      '@root deactivated users: @bob',
      '@root activated users: @bob',
      '@root added the tags mrf_tag:sandbox to users: @bob',
      '@root gave the role moderator to users: @bob',
      '@root suggested users: @bob',
      '@root deleted users: @bob',
    ]);
  });

  it('give a link for a new password once, and refuse the same actions as the API', async () => {
    await visit.get(one('bob'));
    const { text } = await visit.post(`${one('bob')}/password_link`, { _csrf: visit.field('_csrf')! });
    const link = /https:\/\/svc\.test(\/[^<"]*password[^<"]*)/.exec(text)![1]!;
    expect((await new BrowserVisit(app).get(link)).status).toBe(200);
    await visit.get(one('root'));
    const refused = await visit.post(`${one('root')}/actions/revoke-admin`, { _csrf: visit.field('_csrf')! });
    expect([refused.status, wordsOf(refused)]).toEqual([403, expect.stringContaining('revoke your own admin status')]);
  });

  it('wait for approval with their reasons, until they are approved or rejected', async () => {
    await app.sql(
      `update users set is_approved = false, registration_reason = 'I like <tea>' where account_id = any($1)`,
      [[id('bob'), id('carol')]],
    );
    const { text } = await visit.get('/app/staff/sign_ups');
    expect(text).toContain('I like &lt;tea&gt;');
    await visit.press(`${one('bob')}/actions/approve`);
    await visit.get('/app/staff/sign_ups');
    await visit.press(`${one('carol')}/actions/reject`);
    expect(wordsOf(await visit.get('/app/staff/sign_ups'))).toContain('Nobody waits');
    expect(await facts('bob')).toMatchObject({ is_approved: true });
    expect(await log()).toEqual(['@root approved users: @bob', '@root rejected users: @carol']);
    const refused = await visit.post(`${one('bob')}/actions/reject`, { _csrf: visit.field('_csrf')! });
    expect(refused.status).toBe(409);
  });
});
