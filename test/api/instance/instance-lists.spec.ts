import FakeTimers from '@sinonjs/fake-timers';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import supertest from 'supertest';
import { SettingsService } from '../../../src/config/index.js';
import {
  ActivityShape,
  HealthcheckShape,
  InstanceV1Shape,
  InstanceV2Shape,
  PeersShape,
  RulesService,
  RulesShape,
} from '../../../src/instance/index.js';
import { TotalsService } from '../../../src/instance/figures/totals.service.js';
import { Draining } from '../../../src/platform/index.js';
import { createApp } from '../../../src/server.js';
import { useApp } from '../../support/servers/app.js';
import { makeDatabase } from '../../support/servers/database.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';

const DAY = 86_400_000;

const app = useApp();

beforeEach(async () => {
  await app.get(TotalsService).refresh();
  await app.sql('delete from instance_weeks');
});

const get = async <T>(path: string): Promise<T> => {
  const { status, body } = (await app.http.get(path)) as { status: number; body: T };
  expect(status).toBe(200);
  return body;
};

describe('the rules of the server', () => {
  const rules = () => app.get(RulesService);
  const shown = () => get<{ id: string; text: string; hint: string }[]>('/api/v1/instance/rules');

  it('are shown in order, also by the instance documents, and follow changes at once', async () => {
    expect(await shown()).toEqual([]);
    const second = await rules().create({ text: 'Be kind', hint: 'To everybody <3' });
    const first = await rules().create({ text: 'No spam', priority: -1 });
    const both = [
      { id: first.id, text: 'No spam', hint: '' },
      { id: second.id, text: 'Be kind', hint: 'To everybody <3' },
    ];
    expect(await shown()).toEqual(both);
    expect(checkShape(RulesShape, both)).toEqual([]);
    const v1 = await get<{ rules: unknown }>('/api/v1/instance');
    const v2 = await get<{ rules: unknown }>('/api/v2/instance');
    expect([v1.rules, v2.rules]).toEqual([both, both]);
    expect([...checkShape(InstanceV1Shape, v1), ...checkShape(InstanceV2Shape, v2)]).toEqual([]);

    await rules().update(second.id, { text: 'Be very kind', priority: -2 });
    await rules().delete(first.id);
    expect(await shown()).toEqual([{ id: second.id, text: 'Be very kind', hint: 'To everybody <3' }]);
  });

  it('must have a text within bounds', async () => {
    const refused = { status: 422 };
    for (const text of ['', ' \u200b ', 'x'.repeat(5001)]) {
      await expect(rules().create({ text })).rejects.toMatchObject(refused);
    }
    await expect(rules().create({ text: 'x', priority: 1.5 })).rejects.toMatchObject(refused);
    await app.sql(`insert into rules (text) select 'rule' from generate_series(1, 100)`);
    await expect(rules().create({ text: 'One more' })).rejects.toMatchObject(refused);
    for (const id of ['0', 'x', '9'.repeat(30)]) {
      await expect(rules().delete(id)).rejects.toMatchObject({ status: 404 });
      await expect(rules().update(id, { text: 'x' })).rejects.toMatchObject({ status: 404 });
    }
  });
});

describe('the list of other servers', () => {
  it('is empty at first, and holds each server once', async () => {
    expect(await get('/api/v1/instance/peers')).toEqual([]);
    for (const [name, domain] of [
      ['mo', 'b.example'],
      ['flo', 'b.example'],
      ['jo', 'a.example'],
    ] as const) {
      await app.world.remote(name, domain);
    }
    await app.get(TotalsService).refresh();
    const peers = await get('/api/v1/instance/peers');
    expect(checkShape(PeersShape, peers)).toEqual([]);
    expect(peers).toEqual(['a.example', 'b.example']);
  });
});

describe('the activity of an instance', () => {
  let clock: FakeTimers.Clock;
  beforeEach(() => void (clock = FakeTimers.install({ now: Date.now(), toFake: ['Date'] }))); // no week begins during the tests
  afterEach(() => clock.uninstall());

  const activity = () => get<{ week: string; statuses: string }[]>('/api/v1/instance/activity');
  const monday = () => {
    const midnight = new Date().setUTCHours(0, 0, 0, 0);
    return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY;
  };
  const week = (back: number) => String(monday() / 1000 - back * 7 * 86_400);
  const zeros = (back: number) => ({ week: week(back), statuses: '0', logins: '0', registrations: '0' });

  it('covers twelve weeks, including empty ones', async () => {
    const weeks = await activity();
    expect(checkShape(ActivityShape, weeks)).toEqual([]);
    expect(weeks).toEqual(Array.from({ length: 12 }, (_, back) => zeros(back)));
  });

  it('is counted by a job: posts, active accounts and new accounts', async () => {
    await app.world.persons('alice', 'bob', 'carol');
    await app.world.remote('mo', 'b.example');
    await makeStatuses(app, 'alice', 3);
    await makeStatuses(app, 'mo@b.example', 2);
    const [post] = await makeStatuses(app, 'bob', 1);
    await (await app.world.as('alice')).post(`/api/v1/statuses/${post}/reblog`).expect(200);
    await app.sql(
      `update users set last_active_at =
         case when account_id = $2 then to_timestamp($1) - interval '3 days' else to_timestamp($1) end`,
      [monday() / 1000, app.world.id('carol')],
    );
    await app.get(TotalsService).refresh();
    const weeks = await activity();
    expect(weeks.slice(0, 3)).toEqual([
      { week: week(0), statuses: '4', logins: '2', registrations: '3' },
      { ...zeros(1), logins: '1' },
      zeros(2),
    ]);
  });

  it('never shrinks, and is deleted after twelve weeks', async () => {
    await app.sql(
      `insert into instance_weeks (week, statuses, logins, registrations)
       select to_timestamp($1)::date - 7 * back, 10 + back, 20, 30 from generate_series(1, 14) back`,
      [monday() / 1000],
    );
    await app.get(TotalsService).refresh();
    const weeks = await activity();
    expect(weeks[1]).toEqual({ week: week(1), statuses: '11', logins: '20', registrations: '30' });
    expect(weeks[11]).toEqual({ week: week(11), statuses: '21', logins: '20', registrations: '30' });
    expect(await app.sql('select count(*)::int as count from instance_weeks')).toEqual([{ count: 12 }]);
  });

  it('costs no query, like the rules, and both are public even when the server is not', async () => {
    const paths = ['/api/v1/instance/activity', '/api/v1/instance/rules'];
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    for (const path of paths) await get(path);
    const { statements } = await countQueries(async () => {
      for (const path of paths) await get(path);
    });
    expect(statements).toEqual([]);
  });
});

describe('the registration message', () => {
  it("shows the operator's text without scripts", async () => {
    const registrations = async () =>
      (await get<{ registrations: { message: string | null } }>('/api/v2/instance')).registrations;
    expect(await registrations()).toMatchObject({ enabled: true, message: null });
    await app.get(SettingsService).update([
      { path: 'instance.registrations_open', value: false },
      { path: 'instance.registration_message', value: '<p>Ask <b>us</b></p><script>alert(1)</script>' },
    ]);
    expect(await registrations()).toMatchObject({ enabled: false, message: '<p>Ask <b>us</b></p>' });
  });
});

describe('the healthcheck', () => {
  it.each(['/api/v1/svc/healthcheck', '/api/svc/healthcheck'])('shows the health at %s', async (path) => {
    const body = await get<Record<string, unknown>>(path);
    expect(checkShape(HealthcheckShape, body)).toEqual([]);
    expect(body).toMatchObject({ healthy: true, pool_size: expect.any(Number) });
    expect(body['memory_used']).toBeGreaterThan(20);
  });

  it('counts the jobs by one statement for any number of requests', async () => {
    const nest = await createApp(app.env, app.address);
    try {
      await app.sql(
        `insert into jobs (name, queue, run_at, parked_at) values
           ('x', 'mail', now() - interval '1 hour', null), ('x', 'mail', now() + interval '1 day', null),
           ('x', 'mail', now(), now()), ('x', 'deliver', now() - interval '1 hour', null)`,
      );
      const http = supertest(nest.getHttpServer());
      const { result, statements } = await countQueries(() =>
        Promise.all(Array.from({ length: 5 }, () => http.get('/api/v1/svc/healthcheck').expect(200))),
      );
      expect(statements).toHaveLength(1);
      expect((result[4]!.body as { job_queue_stats: unknown }).job_queue_stats).toMatchObject({
        mail: { due: 1, scheduled: 1, parked: 1 },
        deliver: { due: 1, scheduled: 0, parked: 0 },
      });
    } finally {
      await nest.close();
    }
  });

  it('answers 503 with all known figures while the database is unreachable', async () => {
    const database = await makeDatabase();
    const nest = await createApp(app.env, database.address);
    await database.drop();
    const answer = await supertest(nest.getHttpServer()).get('/api/v1/svc/healthcheck').expect(503);
    expect(checkShape(HealthcheckShape, answer.body)).toEqual([]);
    expect(answer.body).toMatchObject({ healthy: false, job_queue_stats: {} });
    await nest.close();
  });

  it('answers 503 once the process is shutting down', async () => {
    const nest = await createApp(app.env, app.address);
    await nest.listen(0);
    const server = nest.getHttpServer();
    const { port } = server.address() as AddressInfo;
    nest.get(Draining).attach(server);
    const guest = connect(port);
    await once(server, 'connection');
    const drained = nest.get(Draining).drain(60_000); // as long as a client is connected
    const answer = await supertest(`http://127.0.0.1:${port}`).get('/api/v1/svc/healthcheck').expect(503);
    expect(answer.body).toMatchObject({ healthy: false });
    guest.destroy();
    await drained;
    await nest.close();
  });
});

describe('the status of the federation', () => {
  it('names the servers that cannot be reached', async () => {
    await app.sql(`insert into hosts (host, state, unreachable_since) values
      ('far.test', 'failing', '2026-01-01T10:00:00Z'), ('near.test', 'ok', null)`);
    for (const path of ['/api/v1/svc/federation_status', '/api/svc/federation_status']) {
      expect(await get(path)).toEqual({ unreachable: { 'far.test': '2026-01-01T10:00:00.000Z' } });
    }
  });
});
