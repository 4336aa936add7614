import { type AddressInfo, connect } from 'node:net';
import { startApp, useApp } from '../../support/servers/app.js';
import { openEvents } from '../../support/servers/event-streams.js';
import { eventually } from '../../support/eventually.js';
import { noRedis } from '../../support/servers/redis.js';

const app = useApp({ once: [], listening: true });

/** The value of each sample, by its name and labels. */
async function samples(of = app): Promise<Record<string, number>> {
  const { text } = await of.http.get('/metrics').expect(200);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

describe('the metrics of a server', () => {
  it('count every answer under the route and the class of its status', async () => {
    await app.http.get('/api/v1/instance').expect(200);
    await app.http.get('/api/v1/statuses/nothing').expect(404);
    await app.http.get('/no-such-page').expect(404);
    await app.http.get('/%zz').expect(400);
    await app.http.post('/api/v1/statuses').expect(401);
    const read = await samples();
    const count = (method: string, route: string, status: string) =>
      read[`http_requests_total{method="${method}",route="${route}",status="${status}"}`];
    expect(count('GET', '/api/v1/instance', '2xx')).toBe(1);
    expect(count('GET', '/api/v1/statuses/:id', '4xx')).toBe(1);
    expect(count('GET', '/:maybe_nickname_or_id', '4xx')).toBe(1);
    expect(count('GET', '(none)', '4xx')).toBe(1);
    expect(count('POST', '/api/v1/statuses', '4xx')).toBe(1);
    expect(read['http_request_duration_seconds_count{method="GET",route="/api/v1/instance"}']).toBe(1);
  });

  it('count event streams and leave them out of the durations', async () => {
    const stream = await openEvents(app, 'public');
    const during = await samples();
    expect(during['svc_streaming_connections{kind="event_stream"}']).toBe(1);
    expect(during['svc_streaming_connections{kind="websocket"}']).toBe(0);
    await stream.close();
    const labels = 'method="GET",route="/api/v1/streaming/public"';
    await eventually(async () => {
      const after = await samples();
      expect(after[`http_requests_total{${labels},status="2xx"}`]).toBe(1);
      expect(after).not.toHaveProperty([`http_request_duration_seconds_count{${labels}}`]);
    });
  });

  it('count running, waiting and refused requests', async () => {
    const begun = connect((app.nest.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    begun.write(
      'POST /api/v1/apps HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    );
    await eventually(async () => {
      expect((await samples())['svc_http_requests{state="working"}']).toBeGreaterThanOrEqual(1);
    });
    begun.destroy();
    const read = await samples();
    for (const name of ['requests{state="slow"}', 'requests{state="queued"}', 'refused_total', 'unsent_bytes'])
      expect([name, read[`svc_http_${name}`]]).toEqual([name, 0]);
  });

  it('describe the process, its connections, its caches and the jobs of each queue', async () => {
    await app.sql(`insert into jobs (name, queue, run_at, parked_at) values
      ('x', 'mail', now(), null), ('x', 'mail', now() + interval '1 day', null), ('x', 'mail', now(), now()),
      ('x', 'mail', now(), now())`);
    const read = await samples();
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'process_start_time_seconds',
      'nodejs_heap_size_total_bytes',
      'nodejs_heap_size_used_bytes',
      'nodejs_external_memory_bytes',
      'nodejs_array_buffers_bytes',
      'svc_http_connections',
      'svc_table_bytes{table="statuses"}',
      'svc_db_pool_max_connections{pool="main"}',
      'svc_db_pool_connections{pool="main"}',
    ]) {
      expect([name, read[name]! > 0]).toEqual([name, true]);
    }
    expect(read['svc_db_pool_idle_connections{pool="main"}']).toBeLessThanOrEqual(
      read['svc_db_pool_connections{pool="main"}']!,
    );
    expect(read['svc_db_pool_waiting_requests{pool="main"}']).toBe(0);
    expect(read['svc_jobs_due{queue="mail"}']).toBe(1);
    expect(read['svc_jobs_failed{queue="mail"}']).toBe(2);
    expect(read['svc_jobs_failed{queue="push"}']).toBe(0);
    expect(read).toHaveProperty(['svc_folder_bytes{folder="media"}']);
    for (const cache of ['account_bodies', 'status_bodies']) {
      for (const figure of ['entries', 'bytes', 'hits_total', 'misses_total']) {
        expect(read).toHaveProperty([`svc_cache_${figure}{cache="${cache}"}`]);
      }
    }
    expect(Object.keys(read)).not.toContain('svc_redis_connected');
  });

  it('show whether a configured Redis is reachable', async () => {
    const lonely = await startApp({ REDIS_URL: await noRedis() });
    try {
      expect(await samples(lonely)).toMatchObject({ svc_redis_connected: 0 });
    } finally {
      await lonely.close();
    }
  });

  it('omit unreadable values', async () => {
    await app.sql('alter table jobs rename to lost_jobs');
    try {
      const read = await samples();
      expect(Object.keys(read).filter((name) => name.startsWith('svc_jobs'))).toEqual([]);
      expect(read).toHaveProperty('process_resident_memory_bytes');
    } finally {
      await app.sql('alter table lost_jobs rename to jobs');
    }
  });
});
