import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { post } from '../../support/fixtures/statuses.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import { INBOX_HOST_ADDRESS, startInboxHost } from '../../support/federation/inbox-host.js';
import { wordsOf } from '../../support/pages.js';
import { useApp } from '../../support/servers/app.js';

const PATH = '/app/staff/queues';

const app = useApp({ people: ['alice'], env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
let visit: BrowserVisit;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  visit = await new BrowserVisit(app).signIn('root');
  await app.drain();
});

const words = async () => wordsOf(await visit.get(PATH));
const log = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);
const failJob = async (name: string) => {
  const [row] = await app.sql<{ id: string }>(
    `insert into jobs (name, queue, attempts, parked_at, last_error, request_id)
     values ($1, 'mail', 10, now(), 'Error: <b>refused</b>', 'r-1') returning id`,
    [name],
  );
  return row!.id;
};

describe('the page of the queues', () => {
  it('counts jobs by name and state', async () => {
    await app.sql(`insert into jobs (name, queue, run_at, attempts, parked_at) values
      ('tea.brew', 'mail', now(), 0, null), ('tea.brew', 'mail', now() - interval '1 hour', 2, null),
      ('tea.brew', 'mail', now() + interval '20 seconds', 1, null),
      ('tea.brew', 'mail', now() + interval '1 hour', 1, null), ('tea.brew', 'mail', now() + interval '20 seconds', 0, null),
      ('tea.brew', 'mail', now(), 10, now())`);
    expect(await words()).toContain(
      'tea.brew queue mail due: 2 · running, or again within 30 seconds: 1 · later: 2 · failed: 1',
    );
  });

  it('shows failed jobs with their error and request, and lets each run again or drops it', async () => {
    const [again, dropped] = [await failJob('tea.brew'), await failJob('tea.pour')];
    const page = await visit.get(PATH);
    expect(wordsOf(page)).toContain(`tea.brew #${again} · tries: 10`);
    expect(page.text).toContain('Error: &lt;b&gt;refused&lt;/b&gt;');
    expect(wordsOf(page)).toContain('Request r-1');
    expect((await visit.press(`${PATH}/jobs/${again}/retry`)).headers['location']).toBe(PATH);
    await visit.get(PATH);
    await visit.press(`${PATH}/jobs/${dropped}/drop`);
    const left = `select name, attempts, parked_at is null and run_at <= now() as due from jobs where name like 'tea.%'`;
    expect(await app.sql(left)).toEqual([{ name: 'tea.brew', attempts: 0, due: true }]);
    expect(await words()).toContain('No job has failed for good.');
    expect(await log()).toEqual([
      `@root let failed job #${again} run again (tea.brew)`,
      `@root dropped failed job #${dropped} (tea.pour)`,
    ]);
  });

  it('neither runs nor drops a job that has not failed, or is none', async () => {
    const [row] = await app.sql<{ id: string }>(
      `insert into jobs (name, queue, run_at) values ('tea.brew', 'mail', now() + interval '1 day') returning id`,
    );
    for (const [id, act] of [row!.id, '999999', 'none'].flatMap((id) => [
      [id, 'retry'] as const,
      [id, 'drop'] as const,
    ])) {
      await visit.get(PATH);
      const refused = await visit.post(`${PATH}/jobs/${id}/${act}`, { _csrf: visit.field('_csrf')! });
      expect(refused.status).toBe(404);
    }
    for (const host of ['', 'no host', 'far.test/x']) {
      await visit.get(PATH);
      const refused = await visit.post(`${PATH}/hosts/retry`, { _csrf: visit.field('_csrf')!, host });
      expect(refused.status).toBe(404);
    }
    expect(await app.sql('select host from hosts')).toEqual([]);
    expect(await words()).toContain('tea.brew queue mail later: 1');
    expect(await log()).toEqual([]);
  });

  it('shows what waits for other servers, and tries one again at once', async () => {
    const far = await startInboxHost();
    try {
      await makeFollows(app, [await far.account(app, 'zoe')], app.world.id('alice'));
      far.answer(() => 'hang up');
      await post(app, 'alice', 'hello');
      await app.drain();
      expect(await words()).toMatch(
        new RegExp(`${far.host} does not answer waiting: 1 · not reached since .* · next try `),
      );
      far.answer(() => 202);
      far.received();
      await visit.press(`${PATH}/hosts/retry`, { host: far.host });
      await app.drain();
      expect(far.types()).toEqual(['Create']);
      expect(await words()).toContain('Nothing waits for another server.');
      expect(await log()).toEqual([`@root let deliveries to the server ${far.host} be tried again`]);
    } finally {
      await far.close();
    }
  });

  it('is for administrators', async () => {
    await app.sql('update users set is_moderator = true where account_id = $1', [app.world.id('alice')]);
    const alice = await new BrowserVisit(app).signIn('alice');
    expect((await alice.get(PATH)).status).toBe(403);
  });
});
