import { request as nodeRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { SettingsService } from '../../../src/config/index.js';
import { InboxDrainService } from '../../../src/federation/inbox/inbox-drain.service.js';
import { InboxRepository } from '../../../src/federation/inbox/inbox.repository.js';
import { workFields } from '../../../src/platform/tracing/work.js';
import {
  cavageHeaders,
  newKey,
  type PeerKey,
  type RawActor,
  type SignOptions,
  useBeside,
  usePeer,
} from '../../support/federation/raw-peer.js';
import { useApp } from '../../support/servers/app.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

describe('The inbox', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let key: PeerKey;
  let mo: RawActor;
  let ada: string;

  beforeAll(() => {
    key = newKey();
    ada = `${app.env.baseUrl}/users/ada`;
  });

  let names = 0;
  beforeEach(() => {
    mo = peer.actor(`mo${(names += 1)}`, key);
  });

  const follow = (changes: object = {}) => ({
    id: `${mo.uri}#follows/${(names += 1)}`,
    type: 'Follow',
    actor: mo.uri,
    object: ada,
    ...changes,
  });

  /** Sends an activity; `changes` are headers. */
  const send = (
    activity: unknown,
    changes: Record<string, string> = {},
    options: SignOptions = {},
    path = '/inbox',
  ) => {
    const body = typeof activity === 'string' ? activity : JSON.stringify(activity);
    const headers = cavageHeaders(mo, app.env.baseUrl + path, { body, ...options });
    return app.http
      .post(path)
      .set({ ...headers, ...changes })
      .send(body);
  };
  const queued = async () => {
    const [row] = await app.sql<{ count: number }>('select count(*)::int as count from inbox_queue');
    return row?.count;
  };

  it('queues an activity, which then takes effect', async () => {
    await send(follow()).expect(202);
    expect(await queued()).toBe(1);
    await app.drain();
    expect(await queued()).toBe(0);
    const followers = await app.sql(
      `select 1 from follows f join accounts a on a.id = f.follower_id where a.ap_id = $1`,
      [mo.uri],
    );
    expect(followers).toHaveLength(1);
  });

  it('knows the request of each activity of a batch, in the log and in the jobs that follow', async () => {
    const like = () => ({
      id: `${mo.uri}#likes/${(names += 1)}`,
      type: 'Like',
      actor: mo.uri,
      object: `${ada}/unknown`,
    });
    const idOf = async (activity: unknown) => String((await send(activity).expect(202)).headers['x-request-id']);
    const requests = [await idOf(like()), await idOf(like()), await idOf(follow())];
    const logged: object[] = [];
    const record = (fields: object, ...[message]: string[]) => logged.push({ ...fields, ...workFields(), message });
    Logger.overrideLogger({ log: record, debug: record, warn: record, error: record });
    try {
      await app.get(InboxDrainService).drain();
    } finally {
      Logger.overrideLogger(['error']);
    }
    const [first, second, third] = requests;
    const ignored = (requestId: unknown): unknown =>
      expect.objectContaining({ message: 'An activity had no effect', requestId });
    expect(logged).toEqual([ignored(first), ignored(second)]);
    const jobs = `select distinct request_id from jobs where request_id = any($1::text[]) and name <> 'inbox.drain'`;
    expect(await app.sql(jobs, [requests])).toEqual([{ request_id: third }]);
    await app.drain();
  });

  it('J7 ends a job that drains it while more comes, and leaves that to another', async () => {
    const drain = app.get(InboxDrainService);
    const due = jest.spyOn(app.get(InboxRepository), 'due').mockImplementation(async () => {
      if (due.mock.calls.length > 1_000) throw new Error('It goes on for ever');
      await drain.resume();
      return [];
    });
    await drain.drain().finally(() => due.mockRestore());
    expect(await app.sql(`select name from jobs where name = 'inbox.drain'`)).toHaveLength(1);
    await app.drain();
  });

  it('processes an Undo that names the activity just before it by id', async () => {
    const activity = follow();
    await send(activity).expect(202);
    await send(follow({ type: 'Undo', object: activity.id })).expect(202);
    await app.drain();
    const followers = await app.sql(
      `select 1 from follows f join accounts a on a.id = f.follower_id where a.ap_id = $1`,
      [mo.uri],
    );
    expect(followers).toEqual([]);
  });

  it('F9 files a report once, even when it arrives several times and at several inboxes', async () => {
    const activity = follow({ type: 'Flag', content: 'rude' });
    const path = '/users/ada/inbox';
    const sent = [send(activity), send(activity), send(activity, {}, {}, path), send(activity, {}, {}, path)];
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    await app.drain();
    await send(activity).expect(202);
    expect(await queued()).toBe(0);
    expect(await app.sql('select from reports')).toHaveLength(1);
  });

  it.each([
    ['unsigned', { signature: '' }, 401],
    ['with a wrong digest', { digest: 'SHA-256=AAAA' }, 401],
    ['as text', { 'content-type': 'text/plain' }, 415],
  ])('F1 refuses a request that comes %s', async (_, headers, status) => {
    await send(follow(), headers).expect(status);
    expect(await queued()).toBe(0);
  });

  it.each([
    'application/activity+json',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    'application/json',
    'application/json; charset=utf-8',
  ])('accepts a signed activity that comes as %s', async (type) => {
    const activity = follow();
    await send(activity, { 'content-type': type, signature: '' }).expect(401);
    await send(activity, { 'content-type': type }).expect(202);
    expect(await queued()).toBe(1);
    await app.drain();
  });

  it('H26 refuses an unsigned request before its body is read', async () => {
    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const headers = { 'content-type': 'application/activity+json', 'content-length': '900000' };
    const status = await new Promise((resolve, reject) => {
      const request = nodeRequest({ port, path: '/inbox', method: 'POST', headers });
      request.on('error', reject).on('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.write('{');
    });
    expect(status).toBe(401);
  });

  it('refuses bodies that are no JSON objects, and ignores unknown or invalid activities', async () => {
    await send('{').expect(400);
    await send('[]').expect(400);
    await send({ type: 'Travel', actor: mo.uri, id: `${mo.uri}#travel` }).expect(202);
    await send({ id: 'x' }).expect(202);
    await send({ id: 'x' }, {}, {}, '/internal/fetch/inbox').expect(202);
    await send(follow({ id: 'https://else.example/1' })).expect(202);
    expect(await queued()).toBe(0);
  });

  it('P6 reads a few megabytes of activities at a time', async () => {
    await app.sql(
      `insert into inbox_queue (host, actor_id, body)
       select 'far' || n % 3, 'nobody', repeat('x', 1000000) from generate_series(1, 20) n`,
    );
    const rows = await app.get(InboxRepository).due(100);
    expect(rows).toHaveLength(8);
    await app.get(InboxDrainService).drain();
    expect(await queued()).toBe(0);
  });

  it('F2 names the clock as the reason when the date is too old', async () => {
    const refused = await send(follow(), {}, { date: new Date(Date.now() - 13 * 3_600_000) }).expect(401);
    expect(refused.body).toEqual({ error: expect.stringContaining('clock') });
  });

  it('F3 refuses the key of another actor, except for posts, which it fetches from their own server', async () => {
    const ann = peer.actor('ann', key);
    await send(follow({ actor: ann.uri })).expect(403);
    const object = { id: `${peer.url}/notes/1`, type: 'Note', attributedTo: ann.uri, to: [ada], content: 'tea' };
    await send(follow({ actor: ann.uri, type: 'Create', object })).expect(202);
    expect(await queued()).toBe(1);
    await app.drain();
    expect(peer.asked('/notes/1')).toBe(1);
    expect(await app.sql('select 1 from statuses')).toEqual([]);
  });

  it('refuses activities by actors of this server', async () => {
    await send({ ...follow(), id: `${ada}#1`, actor: ada }).expect(403);
  });

  it('F12 ignores the Delete of an unknown actor and queues the Delete of a known actor that is gone', async () => {
    const deletion = () => follow({ type: 'Delete', object: mo.uri });
    peer.answers.delete(new URL(mo.uri).pathname);
    await send(deletion()).expect(202);
    expect(peer.asked(new URL(mo.uri).pathname)).toBe(0);
    expect(await queued()).toBe(0);
    mo = peer.actor(`mo${(names += 1)}`, key);
    await send(follow()).expect(202);
    peer.answers.delete(new URL(mo.uri).pathname);
    await send(deletion()).expect(202);
    expect(await queued()).toBe(2);
    await app.sql('delete from inbox_queue');
  });

  it('asks remote servers to retry later while the queue is full', async () => {
    await app.get(SettingsService).update([{ path: 'activitypub.inbox_queue', value: 0 }]);
    const { headers } = await send(follow()).expect(503);
    expect(headers['retry-after']).toBe('60');
    await app.get(SettingsService).reset('activitypub.inbox_queue');
  });

  it('returns 404 while federation is off', async () => {
    await app.get(SettingsService).update([{ path: 'instance.federating', value: false }]);
    await send(follow()).expect(404);
    await app.get(SettingsService).reset('instance.federating');
  });

  it('asks for a retry when the key cannot be fetched now', async () => {
    peer.answers.set(new URL(mo.uri).pathname, { status: 503 });
    await send(follow()).expect(503);
  });

  it('returns 404 for the inbox of an unknown account', async () => {
    await send(follow(), {}, {}, '/users/nobody/inbox').expect(404);
  });

  it.each(['is_approved', 'is_confirmed'])('takes only ends for a sign-up that waits (%s)', async (column) => {
    const name = `wes${(names += 1)}`;
    await app.world.person(name);
    await app.sql(`update users set ${column} = false where account_id = $1`, [app.world.id(name)]);
    const object = `${app.env.baseUrl}/users/${name}`;
    await send(follow({ object }), {}, {}, `/users/${name}/inbox`).expect(404);
    await send(follow({ object })).expect(202);
    await send(follow({ object, type: 'Block' }), {}, {}, `/users/${name}/inbox`).expect(202);
    await app.drain();
    const rows = (table: string, of: string) => app.sql(`select from ${table} where ${of} = $1`, [app.world.id(name)]);
    expect([await rows('follows', 'followee_id'), await rows('blocks', 'target_id')]).toEqual([[], [{}]]);
    expect(peer.received.filter(({ type, to }) => type === 'Accept' && String(to) === mo.uri)).toEqual([]);
  });

  it('counts requests by outcome', async () => {
    const { text } = await app.http.get('/metrics').expect(200);
    for (const outcome of ['queued', 'ignored: known', 'refused: clock', 'refused: digest', 'refused: Forbidden'])
      expect(text).toContain(`svc_inbox_requests_total{outcome="${outcome}"}`);
    expect(text).toMatch(/svc_inbox_queue \d/);
  });

  it('H1 cleans texts of a post that cannot be stored, and processes the rest of the batch', async () => {
    const uri = `${peer.url}/notes/nul`;
    const object = {
      id: uri,
      type: 'Note',
      attributedTo: mo.uri,
      to: [ada],
      content: 'te\u0000a \ud800',
      summary: '\u0000',
      tag: [
        { type: 'Mention', href: ada, name: '@a\u0000da' },
        { type: 'Hashtag', href: `${peer.url}/tags/tea`, name: '#t\u0000ea' },
      ],
    };
    await send({ id: `${uri}#create`, type: 'Create', actor: mo.uri, to: [ada], object }).expect(202);
    await send(follow()).expect(202);
    await app.drain();
    expect(await app.sql('select content_text from statuses where uri = $1', [uri])).toEqual([
      { content_text: 'tea \ufffd' },
    ]);
    expect(await queued()).toBe(0);
  });

  it.each<[string, () => string[], number]>([
    ['public post', () => [PUBLIC, ada], 0],
    ['direct post', () => [ada], 1],
  ])(
    'deletes a post for another actor of its server only when the server no longer serves it: a %s',
    async (_which, to, leftAfter404) => {
      const path = `/notes/kept${(names += 1)}`;
      const uri = peer.url + path;
      const object = { id: uri, type: 'Note', attributedTo: mo.uri, to: to(), content: 'tea' };
      peer.answers.set(path, object);
      await send({ id: `${uri}#create`, type: 'Create', actor: mo.uri, to: [ada], object }).expect(202);
      await app.drain();
      mo = peer.actor(`moderator${names}`, key);
      const remove = async () => {
        await send({ id: `${uri}#delete${(names += 1)}`, type: 'Delete', actor: mo.uri, object: uri }).expect(202);
        await app.drain();
        return app.sql('select 1 from statuses where uri = $1', [uri]);
      };
      expect(await remove()).toHaveLength(1);
      peer.answers.set(path, { status: 404 }); // the answer to strangers for whatever is not public
      expect(await remove()).toHaveLength(leftAfter404);
      peer.answers.set(path, { id: uri, type: 'Tombstone' });
      expect(await remove()).toEqual([]);
    },
  );
});

describe('The inbox with rate limits', () => {
  const peer = usePeer();
  const relay = usePeer();
  const env = () => ({ ALLOWED_PRIVATE_ADDRESSES: `${peer.host},${relay.host}`, RATE_LIMITS: 'on' });
  const app = useApp({ once: ['ada'], env });

  const limit = (path: 'rate_limit.inbox' | 'rate_limit.inbox_refused', points: number) =>
    app.get(SettingsService).update([{ path, value: [3_600_000, points] }]);

  beforeAll(async () => {
    await limit('rate_limit.inbox', 2);
    await limit('rate_limit.inbox_refused', 2);
  });

  it('F20 does not count as refused what is signed rightly by another than its actor', async () => {
    const passer = relay.actor('passer', newKey());
    const ann = relay.actor('ann', passer.key);
    const send = (activity: object) => {
      const body = JSON.stringify({ id: `${relay.url}/${JSON.stringify(activity).length}`, ...activity });
      const headers = cavageHeaders(passer, `${app.env.baseUrl}/inbox`, { body });
      return app.http
        .post('/inbox')
        .set({ ...headers, 'x-forwarded-for': '203.0.113.7' })
        .send(body);
    };
    await limit('rate_limit.inbox', 4);
    const remove = (post: number) => send({ type: 'Delete', actor: ann.uri, object: `${ann.uri}/notes/${post}` });
    for (let passed = 0; passed < 3; passed += 1) await remove(passed).expect(403);
    await send({ type: 'Follow', actor: passer.uri, object: `${app.env.baseUrl}/users/ada` }).expect(202);
    await remove(3).expect(429); // as everything that the server sends
    await limit('rate_limit.inbox', 2);
  });

  it('F20 limits a server that sends too many requests and an address that sends too many refused ones', async () => {
    const mo = peer.actor('mo', newKey());
    const send = (number: number, headers: Record<string, string> = {}) => {
      const object = `${app.env.baseUrl}/users/ada`;
      return sendBody(JSON.stringify({ id: `${mo.uri}#${number}`, type: 'Follow', actor: mo.uri, object }), headers);
    };
    const sendBody = (body: string, headers: Record<string, string> = {}) => {
      const signed = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
      return app.http
        .post('/inbox')
        .set({ ...signed, ...headers })
        .send(body);
    };
    await send(1).expect(202);
    await send(2).expect(202);
    const { headers } = await send(3).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
    await send(4, { signature: '' }).expect(401);
    await sendBody('['.repeat(1_000)).expect(400);
    await send(6, { signature: '' }).expect(429);
  });
});
