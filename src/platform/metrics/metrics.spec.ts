import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import supertest from 'supertest';
import { Metrics } from './metrics.js';

describe('Metrics', () => {
  let metrics: Metrics;

  beforeEach(() => {
    metrics = new Metrics();
  });
  afterEach(() => metrics.onApplicationShutdown());

  /** The value of each sample whose line starts with the given text, by its labels. */
  async function samples(name: string): Promise<Record<string, number>> {
    const { text } = await metrics.render();
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return Object.fromEntries(
      lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    );
  }

  it('counts by label', async () => {
    const jobs = metrics.counter('jobs_total', 'Jobs that ran', ['queue', 'outcome']);
    jobs.inc({ queue: 'push', outcome: 'done' });
    jobs.inc({ queue: 'push', outcome: 'done' }, 2);
    jobs.inc({ queue: 'feeds', outcome: 'failed' });
    expect(await samples('jobs_total')).toEqual({
      '{queue="push",outcome="done"}': 3,
      '{queue="feeds",outcome="failed"}': 1,
    });
  });

  it('reads gauges each time', async () => {
    let waiting = 1;
    metrics.gauge('pool_waiting', 'Callers waiting for a connection', () => waiting);
    metrics.gauge('queue_length', 'Jobs due', () => Promise.resolve(7));
    expect(await samples('pool_waiting')).toEqual({ '': 1 });
    waiting = 5;
    expect(await samples('pool_waiting')).toEqual({ '': 5 });
    expect(await samples('queue_length')).toEqual({ '': 7 });
  });

  it('measures the delay of the event loop', async () => {
    const delays = await samples('nodejs_eventloop_delay_seconds');
    expect(Object.keys(delays)).toEqual(['{quantile="0.5"}', '{quantile="0.99"}', '{quantile="1"}']);
    for (const seconds of Object.values(delays)) expect(seconds).toBeGreaterThanOrEqual(0);
  });

  it('is separate for each server, even under the same names', async () => {
    const other = new Metrics();
    metrics.counter('jobs_total', 'Jobs that ran').inc();
    other.counter('jobs_total', 'Jobs that ran');
    expect(await samples('jobs_total')).toEqual({ '': 1 });
    expect((await other.render()).text).toContain('jobs_total 0');
    other.onApplicationShutdown();
  });

  it('names its format', async () => {
    expect(await metrics.render()).toMatchObject({ contentType: 'text/plain; version=0.0.4; charset=utf-8' });
  });

  describe('of requests', () => {
    let server: Server;

    beforeEach(async () => {
      const app = express();
      app.use(metrics.observe);
      app.get(
        '/statuses/:id',
        (request, response) => void response.status(request.params.id === '0' ? 404 : 200).send('ok'),
      );
      app.post('/statuses', () => {
        throw new Error('broken');
      });
      app.get('/hangs', (_request, response) => void response.write('half'));
      app.set('env', 'test'); // express prints no stack
      server = createServer(app).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterEach(() => void server.close());

    it('are labelled by the template of the route and the class of the status', async () => {
      const agent = supertest(server);
      for (const path of ['/statuses/1', '/statuses/2?access_token=secret', '/statuses/0', '/nowhere/secret']) {
        await agent.get(path);
      }
      await agent.post('/statuses');
      expect(await samples('http_requests_total')).toEqual({
        '{method="GET",route="/statuses/:id",status="2xx"}': 2,
        '{method="GET",route="/statuses/:id",status="4xx"}': 1,
        '{method="GET",route="(none)",status="4xx"}': 1,
        '{method="POST",route="/statuses",status="5xx"}': 1,
      });
      expect((await metrics.render()).text).not.toContain('secret');
    });

    it('include requests that the client gave up', async () => {
      const arrived = once(server, 'request');
      const request = get({ port: (server.address() as AddressInfo).port, path: '/hangs' }).on(
        'error',
        () => undefined,
      );
      const [, response] = (await arrived) as [unknown, NodeJS.EventEmitter];
      const closed = once(response, 'close');
      request.destroy();
      await closed;
      expect(await samples('http_requests_total')).toEqual({
        '{method="GET",route="/hangs",status="aborted"}': 1,
      });
    });
  });
});
