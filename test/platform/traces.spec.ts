import { Logger } from '@nestjs/common';
import { INBOX_HOST_ADDRESS, type InboxHost, type Received, startInboxHost } from '../support/federation/inbox-host.js';
import { makeFollows } from '../support/fixtures/factories.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type SentSpan, startTraceCollector, type TraceCollector } from '../support/servers/trace-collector.js';
import { eventually } from '../support/eventually.js';

const STRANGER = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${STRANGER}-00f067aa0ba902b7-01`;

let collector: TraceCollector;
let far: InboxHost;
let app: TestApp | undefined;

beforeEach(async () => {
  [collector, far] = [await startTraceCollector(), await startInboxHost()];
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  await Promise.all([collector.close(), far.close()]);
});

/** Starts a server that sends its traces to the collector. */
async function start(env: Record<string, string> = {}): Promise<TestApp> {
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS };
  app = await startApp({ ...traces, ...env });
  await app.world.person('alice');
  await makeFollows(app, [await far.account(app, 'zoe')], app.world.id('alice'));
  return app;
}

/** Ends the server, which exports what is left. */
async function stop(): Promise<readonly SentSpan[]> {
  await app!.close();
  app = undefined;
  return collector.spans;
}

describe('traces', () => {
  it('P12 lead from the request of a post through its statements and jobs to its deliveries, without any value', async () => {
    const server = await start({
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=tea%20house',
      OTEL_SERVICE_NAME: 'social',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const alice = await server.world.as('alice');
    const answer = await alice
      .post('/api/v1/statuses?canary_query=1')
      .set('traceparent', TRACEPARENT)
      .send({ status: 'canary_text', spoiler_text: 'canary_subject' })
      .expect(200);
    const aliceId = server.world.id('alice');
    await server.drain();
    const [activity] = far.received();
    const spans = await stop();

    const request = spans.find(({ name }) => name === 'POST /api/v1/statuses')!;
    expect(request).toMatchObject({
      kind: 2,
      parentId: '',
      links: [],
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/statuses',
        'http.response.status_code': 200,
        'svc.request.id': answer.headers['x-request-id'] as string,
      },
      resource: { 'service.name': 'social', 'deployment.environment.name': 'test' },
    });
    expect(request.traceId).not.toBe(STRANGER);
    const trace = spans.filter(({ traceId }) => traceId === request.traceId);
    const within = ({ id }: SentSpan) => trace.filter(({ parentId }) => parentId === id);
    expect(within(request).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['statuses.insert', 'jobs.insert', 'COMMIT', 'federation.send-created']),
    );
    const statement = within(request).find(({ name }) => name === 'jobs.insert')!;
    expect([statement.kind, statement.attributes['db.system.name']]).toEqual([3, 'postgresql']);
    const job = within(request).find(({ name }) => name === 'federation.send-created')!;
    expect(job).toMatchObject({ kind: 5, attributes: { 'svc.job.attempt': 1, 'svc.job.outcome': 'done' } });
    const delivery = within(job).find(({ name }) => name === 'deliver')!;
    expect(delivery).toMatchObject({
      kind: 4,
      attributes: { 'svc.activity.type': 'Create', 'svc.delivery.outcome': 'done' },
    });
    expect(within(delivery).find(({ name }) => name === 'POST')).toMatchObject({
      kind: 3,
      isFailed: false,
      attributes: { 'server.address': INBOX_HOST_ADDRESS, 'http.response.status_code': 202 },
    });

    expect(activity!.activity.type).toBe('Create');
    expect(Object.keys((activity as Received).headers)).not.toContain('traceparent');
    const { id } = answer.body as { id: string };
    const token = /"Authorization":"Bearer (\S+?)"/i.exec(JSON.stringify(answer.request))?.[1];
    expect(token).toMatch(/^\S{43}$/);
    for (const value of ['canary', 'alice', 'zoe', id, token!, aliceId, STRANGER])
      expect(collector.bytes).not.toContain(value);
    expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'tea house', 'content-type': 'application/x-protobuf' });
  });

  it('P12 name the kind of a failure and not its words', async () => {
    const server = await start();
    far.answer(() => 404);
    await server.sql(`create function die() returns trigger language plpgsql as $$ begin raise 'canary_words'; end $$`);
    await server.sql('create trigger dies before insert on favourites for each row execute function die()');
    const alice = await server.world.as('alice');
    const { body } = await alice.post('/api/v1/statuses').send({ status: 'hello' }).expect(200);
    await alice.post(`/api/v1/statuses/${(body as { id: string }).id}/favourite`).expect(500);
    await server.drain();
    await server.sql(`insert into jobs (name, queue, payload) values ('nobody.handles', 'mail', '{}')`);
    await server.drain();
    const spans = await stop();
    const failed = spans
      .filter(({ isFailed }) => isFailed)
      .map(({ name, attributes }) => [name, attributes['error.type']]);
    expect(failed).toEqual(
      expect.arrayContaining([
        ['POST /api/v1/statuses/:id/favourite', '500'],
        ['deliver', 'refused'],
        ['nobody.handles', 'retry'],
        ['POST', '404'],
      ]),
    );
    expect(failed).toContainEqual([expect.stringMatching(/^favourites\./), 'P0001']);
    expect(collector.bytes).not.toContain('canary');
  });

  it('P12 lead from the request that brought an activity to its processing, which is linked to the job', async () => {
    const server = await start();
    await server.sql(
      `insert into inbox_queue (host, actor_id, body, traceparent)
       select 'far.test', id, json_build_object('id', ap_id || '/1', 'type', 'Like', 'actor', ap_id, 'object', ap_id), $1
       from accounts where nickname = 'zoe'`,
      [TRACEPARENT],
    );
    await server.sql(`insert into jobs (name, queue, payload) values ('inbox.drain', 'inbox', '{}')`);
    await server.drain();
    const spans = await stop();
    const job = spans.find(({ name }) => name === 'inbox.drain')!;
    expect(spans.find(({ name }) => name === 'receive')).toMatchObject({
      ...{ kind: 5, traceId: STRANGER, parentId: '00f067aa0ba902b7', links: [job.traceId] },
      attributes: { 'svc.activity.type': 'Like', 'svc.activity.attempt': 1 },
    });
  });

  it('P13 are neither begun nor joined by strangers, and linked to those of a trusted proxy', async () => {
    const fromProxy = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    await fromProxy.http.get('/api/v1/instance').set('traceparent', TRACEPARENT);
    const [linked] = (await stop()).filter(({ name }) => name === 'GET /api/v1/instance');
    expect(linked).toMatchObject({ parentId: '', links: [STRANGER] });
    expect(linked!.traceId).not.toBe(STRANGER);
    const before = collector.spans.length;
    const unsampled = await start({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    await unsampled.http.get('/api/v1/instance').set('traceparent', TRACEPARENT).expect(200);
    const alice = await unsampled.world.as('alice');
    await alice.post('/api/v1/statuses').send({ status: 'hello' }).expect(200);
    await unsampled.drain();
    expect(far.types()).toEqual(['Create']);
    expect((await stop()).slice(before)).toEqual([]);
  });

  it('P14 are lost without harm while the collector fails, or hangs at the end', async () => {
    const { http } = await start();
    const logged: unknown[] = [];
    const record = (_fields: unknown, message: unknown) => logged.push(message);
    Logger.overrideLogger({ log: record, warn: record, error: record });
    try {
      collector.answer(400);
      for (let batch = 0; batch < 2; batch += 1) {
        const got = collector.headers.length;
        const ask = () => http.get('/api/v1/instance').expect(200);
        await Promise.all(Array.from({ length: 512 }, ask)); // a full batch leaves at once
        await eventually(() => expect(collector.headers.length).toBeGreaterThan(got));
      }
      const told = () => logged.filter((message) => String(message).startsWith('The collector does not take traces'));
      await eventually(() => expect(told()).toHaveLength(1));
      collector.answer('never');
      await http.get('/api/v1/instance').expect(200);
      await stop();
      expect(told()).toHaveLength(1);
    } finally {
      Logger.overrideLogger(['error']);
    }
  });
});
