import type { Client } from 'pg';
import { RemoteStatusFetcher } from '../../../src/federation/fetch/remote-status-fetcher.js';
import { InboxAskingService } from '../../../src/federation/inbox/inbox-asking.service.js';
import { InboxDrainService } from '../../../src/federation/inbox/inbox-drain.service.js';
import { Asker, Worker } from '../../../src/platform/index.js';
import {
  type Answer,
  cavageHeaders,
  newKey,
  type PeerKey,
  type RawActor,
  useBeside,
  usePeer,
} from '../../support/federation/raw-peer.js';
import { eventually } from '../../support/eventually.js';
import { countQueries } from '../../support/queries.js';
import { rowsRead } from '../../support/rows-read.js';
import { holding, waitersOf } from '../../support/locks.js';
import { makeFollows } from '../../support/fixtures/factories.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

describe('An inbox that asks other servers', () => {
  const near = usePeer('near.example');
  const far = usePeer('far.example');
  const app = useBeside([near, far], { once: ['ada'] });
  let key: PeerKey;
  let mo: RawActor;
  let names = 0;

  beforeAll(() => {
    key = newKey();
  });

  beforeEach(async () => {
    mo = near.actor(`mo${(names += 1)}`, key);
    await send({ type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
    await app.drain();
    const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
    await makeFollows(app, [app.world.id('ada')], row!.id);
    near.seen.length = far.seen.length = 0;
  });

  const note = (id: string, changes: object = {}) => ({
    id,
    type: 'Note',
    attributedTo: mo.uri,
    content: 'tea',
    to: [PUBLIC],
    ...changes,
  });
  const send = async (activity: object, actor = mo) => {
    const body = JSON.stringify({ id: `${actor.uri}#${(names += 1)}`, actor: actor.uri, to: [PUBLIC], ...activity });
    await app.http
      .post('/inbox')
      .set(cavageHeaders(actor, `${app.env.baseUrl}/inbox`, { body }))
      .send(body)
      .expect(202);
  };
  const create = (id: string, changes: object = {}) => send({ type: 'Create', object: note(id, changes) });
  const stored = async (uri: string) => (await app.sql('select from statuses where uri = $1', [uri])).length === 1;
  const waiting = () =>
    app.sql<{ attempts: number; asks: boolean }>('select attempts, asks from inbox_queue order by id');
  const batch = () => app.get(InboxDrainService).drain();
  const ask = () => app.get(InboxAskingService).work({ host: near.host });
  /** A path of the far server that answers when the test says so. */
  const silent = (path: string) => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    far.answers.set(path, promise);
    return { uri: `${far.url}${path}`, answer: () => resolve({ status: 404 }) };
  };

  it('S13 lets other activities pass one that waits for a server, and counts its attempt before it begins', async () => {
    const gone = silent('/users/gone');
    const mention = { type: 'Mention', href: gone.uri, name: '@gone' };
    const [slow, quick] = [`${near.url}/notes/${(names += 1)}`, `${near.url}/notes/${(names += 1)}`];
    await create(slow, { tag: [mention] });
    await create(quick);
    await batch();
    expect(await stored(quick)).toBe(true);
    expect(await stored(slow)).toBe(false);
    expect(far.seen).toEqual([]);
    const asking = ask();
    await eventually(() => expect(far.seen).toHaveLength(1));
    expect(await waiting()).toEqual([{ attempts: 1, asks: true }]);
    gone.answer();
    await asking;
    expect(await stored(slow)).toBe(true);
    expect(await waiting()).toEqual([]);
  });

  const page = (at: number) => ({ type: 'Link', href: `https://far.example/${at}/${'tea'.repeat(500)}` });
  it.each([
    ['a long text', { content: `<p>${'tea '.repeat(1_000)}</p>` }],
    ['a text with long links to pages', { type: 'Page', attachment: [page(1), page(2)] }],
  ])('F22 processes an activity with %s outside of the batch', async (_what, changes) => {
    const [long, short] = [`${near.url}/notes/${(names += 1)}`, `${near.url}/notes/${(names += 1)}`];
    await create(long, changes);
    await create(short);
    await batch();
    expect([await stored(long), await stored(short)]).toEqual([false, true]);
    await ask();
    expect(await stored(long)).toBe(true);
  });

  it('F10 keeps the order of activities of one actor about the same object', async () => {
    far.answers.set('/notes/boosted', { ...note(`${far.url}/notes/boosted`), attributedTo: `${far.url}/users/zoe` });
    far.actor('zoe', key);
    const boost = { id: `${mo.uri}/boosts/1`, type: 'Announce', object: `${far.url}/notes/boosted` };
    await send(boost);
    await batch();
    await send({ type: 'Undo', object: { ...boost, actor: mo.uri } });
    await batch();
    expect(await waiting()).toHaveLength(2);
    await ask();
    expect(await stored(`${far.url}/notes/boosted`)).toBe(true);
    expect(await app.sql('select from statuses where reblog_of_id is not null')).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('S13 reads of the activities that wait of a host only those that the batch follows, and starts the next one as quickly', async () => {
    await create(`${near.url}/notes/${(names += 1)}`, { inReplyTo: `${far.url}/notes/never` });
    await batch();
    await app.sql(`with more as (
       insert into inbox_queue (host, actor_id, body, asks) select host, actor_id, body, true from inbox_queue, generate_series(1, 2000)
       returning id, actor_id)
     insert into inbox_asking (actor_id, about, activity_id) select actor_id, id, id from more`);
    await send({ type: 'Like', object: `${near.url}/notes/1` });
    const { statements, values } = await countQueries(batch);
    const sent = values[statements.indexOf('inbox.asking')] as string[][];
    expect(await rowsRead(app, 'inbox.asking', sent)).toBeLessThan(10);
    expect(await rowsRead(app, 'inbox.claim', [near.host, [1]])).toBeLessThan(10);
  });

  it('waits no longer than two tries are apart after a clock that was ahead', async () => {
    const [ready, long] = [`${near.url}/notes/${(names += 1)}`, `${near.url}/notes/${(names += 1)}`];
    await create(long, { tag: [{ type: 'Mention', href: `${far.url}/users/late`, name: '@late' }] });
    await batch();
    await create(ready);
    expect((await waiting()).map(({ asks }) => asks)).toEqual([true, false]);
    const leftAfter = async (wait: string) => {
      await app.sql(`update inbox_queue set run_at = now() + interval '${wait}'`);
      await app.get(Worker).enqueueRecurring();
      await app.sql(`update jobs set run_at = now() where key like 'recurring:%'`);
      await app.drain();
      await app.get(InboxDrainService).resumeAll();
      await app.drain();
      return (await waiting()).length;
    };
    expect([await leftAfter('23 hours'), await leftAfter('25 hours')]).toEqual([2, 0]);
    expect([await stored(ready), await stored(long)]).toEqual([true, true]);
  });

  describe('that is told of a deletion while the post is fetched', () => {
    /** A post that is fetched, and answers one of the far server, which is asked for now. */
    const fetched = async () => {
      const parent = silent(`/notes/${(names += 1)}`);
      const zoe = near.actor(`zoe${names}`, key);
      const post = { ...note(`${near.url}/notes/${names}`, { inReplyTo: parent.uri }), attributedTo: zoe.uri };
      near.answers.set(new URL(post.id).pathname, post);
      const asking = app.get(RemoteStatusFetcher).resolve(post.id);
      await eventually(() => expect(far.asked(new URL(parent.uri).pathname)).toBe(1));
      return {
        uri: post.id,
        asking,
        answer: parent.answer,
        remove: () => send({ type: 'Delete', object: post.id }, zoe),
      };
    };

    it('F30 does not store it', async () => {
      const { uri, asking, answer, remove } = await fetched();
      await remove();
      await batch();
      answer();
      await asking;
      expect(await stored(uri)).toBe(false);
    });

    it('F30 deletes it if it is being stored', async () => {
      const { uri, asking, answer, remove } = await fetched();
      await holding(app, async (holder) => {
        await holder.query('lock status_stats in share mode');
        answer();
        await waitersOf(holder, 1);
        await remove();
        const draining = batch();
        await waitersOf(holder, 2);
        await holder.query('commit');
        await Promise.all([asking, draining]);
      });
      expect(await stored(uri)).toBe(false);
      expect(await app.sql('select former_type from tombstones where uri = $1', [uri])).toHaveLength(1);
    });
  });

  /** Runs work while the unit that stores the last activity of the queue waits for its commit. */
  const beforeCommit = (work: (holder: Client) => Promise<void>) =>
    holding(app, async (holder) => {
      await holder.query('select from inbox_queue order by id desc limit 1 for update');
      const draining = batch();
      await waitersOf(holder, 1);
      await work(holder);
      await holder.query('commit');
      await draining;
    });
  /** Resolves when some work has ended, or waits for the unit that waits for its commit. */
  const endedOrWaiting = (work: Promise<unknown>, holder: Client) => Promise.race([work, waitersOf(holder, 2)]);
  /** A post that is stored when its mention was looked up, which the test decides. */
  const beingStored = async (type: 'Create' | 'Update', changes: object = {}) => {
    const mentioned = silent(`/users/gone${(names += 1)}`);
    const post = note(`${near.url}/notes/${names}`, {
      tag: [{ type: 'Mention', href: mentioned.uri, name: '@gone' }],
      ...changes,
    });
    await send({ type, object: post });
    await batch();
    const asking = ask();
    await eventually(() => expect(far.asked(new URL(mentioned.uri).pathname)).toBe(1));
    return { uri: post.id, asking, answer: mentioned.answer };
  };

  it('F30 stores no post whose deletion is being stored', async () => {
    const { uri, asking, answer } = await beingStored('Create');
    await send({ type: 'Delete', object: uri });
    await beforeCommit(async (holder) => {
      answer();
      await endedOrWaiting(asking, holder);
    });
    await asking;
    expect(await stored(uri)).toBe(false);
  });

  it('F30 stores no boost whose deletion is being stored', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const zoe = far.actor(`zoe${(names += 1)}`, key);
    const post = note(`${far.url}/notes/${names}`, { attributedTo: zoe.uri });
    far.answers.set(new URL(post.id).pathname, promise);
    const boost = `${mo.uri}#boost`;
    await send({ id: boost, type: 'Announce', object: post.id });
    await batch();
    const asking = ask();
    await eventually(() => expect(far.asked(new URL(post.id).pathname)).toBe(1));
    await send({ type: 'Delete', object: boost });
    await beforeCommit(async (holder) => {
      resolve(post);
      await endedOrWaiting(asking, holder);
    });
    await asking;
    expect(await stored(boost)).toBe(false);
  });

  it('F30 stores no deleted post that comes with its boost', async () => {
    const post = note(`${near.url}/notes/${(names += 1)}`);
    await send({ type: 'Delete', object: post.id });
    await send({ type: 'Announce', object: post });
    await app.drain();
    expect(await stored(post.id)).toBe(false);
  });

  it('F30 stores no deleted post that comes with a request to quote', async () => {
    const ada = await app.world.as('ada');
    const { body } = await ada.post('/api/v1/statuses', { status: 'tea' }).expect(200);
    const { uri: quote } = body as { uri: string };
    const post = note(`${near.url}/notes/${(names += 1)}`, { quote });
    await send({ type: 'Delete', object: post.id });
    await send({ type: 'QuoteRequest', object: quote, instrument: post });
    await app.drain();
    expect(await stored(post.id)).toBe(false);
  });

  it.each([
    ['reply', 'inReplyTo', 'in_reply_to_id'],
    ['quote', 'quoteUrl', 'quote_of_id'],
  ])('attaches a %s to a post that is stored at the same moment', async (_, property, column) => {
    const target = silent(`/notes/${(names += 1)}`);
    target.answer();
    const zoe = far.actor(`zoe${names}`, key);
    const ada = { type: 'Mention', href: `${app.env.baseUrl}/users/ada`, name: '@ada' };
    const { uri, asking, answer } = await beingStored('Create', { [property]: target.uri });
    await send(
      { type: 'Create', object: { ...note(target.uri, { tag: [ada] }), attributedTo: zoe.uri, cc: [ada.href] } },
      zoe,
    );
    let later: Promise<unknown> = Promise.resolve();
    await beforeCommit(async (holder) => {
      answer();
      await asking;
      later = app.drain();
      await endedOrWaiting(later, holder);
    });
    await later;
    const related = await app.sql(
      `select parent.uri from statuses s join statuses parent on parent.id = s.${column} where s.uri = $1`,
      [uri],
    );
    expect(related).toEqual([{ uri: target.uri }]);
  });

  it('stores an edit of a post of which an older copy was stored meanwhile', async () => {
    const { uri, asking, answer } = await beingStored('Update', { content: 'coffee', updated: '2026-01-02T00:00:00Z' });
    near.answers.set(new URL(uri).pathname, note(uri));
    await app.get(RemoteStatusFetcher).resolve(uri);
    answer();
    await asking;
    expect(await app.sql('select content_text from statuses where uri = $1', [uri])).toEqual([
      { content_text: 'coffee' },
    ]);
  });

  it('S13 drops an activity whose attempts have all been interrupted', async () => {
    await send({ type: 'Announce', object: `${far.url}/notes/never` });
    await batch();
    await app.sql('update inbox_queue set attempts = 7');
    await ask();
    expect(await waiting()).toEqual([]);
    expect(far.seen).toEqual([]);
  });

  it.each([401, 408, 503])('asks again a server that answers %s for now', async (status) => {
    const fay = far.actor('fay', key);
    const path = `/notes/${(names += 1)}`;
    far.answers.set(path, { status });
    await send({ type: 'Announce', object: far.url + path });
    await batch();
    await app.drain();
    expect(await waiting()).toEqual([{ attempts: 1, asks: true }]);
    far.answers.set(path, note(far.url + path, { attributedTo: fay.uri }));
    await app.sql('update inbox_queue set run_at = now()');
    await ask();
    expect([await waiting(), await stored(far.url + path)]).toEqual([[], true]);
  });

  it('F10 tries an activity at once when a later one about the same comes, without using up its tries', async () => {
    const [zoe, uri] = [far.actor('zoe', key), `${far.url}/notes/${(names += 1)}`];
    const boost = { id: `${mo.uri}/boosts/${names}`, type: 'Announce', actor: mo.uri, object: uri };
    const undo = { type: 'Undo', object: boost };
    far.answers.set(new URL(uri).pathname, { status: 401 });
    for (const activity of [boost, undo, undo, undo, undo, undo, undo, undo, undo]) {
      await send(activity);
      await app.drain();
      expect((await waiting())[0]).toEqual({ attempts: 1, asks: true });
    }
    far.answers.set(new URL(uri).pathname, note(uri, { attributedTo: zoe.uri }));
    await send(undo);
    await app.drain();
    expect([await waiting(), await stored(uri)]).toEqual([[], true]);
  });

  it('S10 stops after a hundred requests in a thread without end', async () => {
    for (const peer of [near, far]) {
      const [other, author] = [peer === near ? far : near, peer.actor('author', key)];
      for (let n = 0; n < 300; n += 1) {
        peer.answers.set(`/endless/${n}`, {
          ...note(`${peer.url}/endless/${n}`),
          attributedTo: author.uri,
          quoteUrl: `${other.url}/endless/${n + 1}`,
          inReplyTo: `${other.url}/endless/${n + 2}`,
          replies: { type: 'Collection', items: [`${other.url}/endless/${n + 3}`, `${peer.url}/endless/${n + 4}`] },
        });
      }
    }
    await create(`${near.url}/notes/${(names += 1)}`, { quoteUrl: `${far.url}/endless/0` });
    await app.drain();
    const asked = near.seen.length + far.seen.length;
    expect(asked).toBeGreaterThan(50);
    expect(asked).toBeLessThanOrEqual(100);
    expect(await app.sql(`select name from jobs where name = 'federation.fetch-posts'`)).toEqual([]);
  });

  it.each([
    ['a vote', { type: 'Like', object: 'post' }],
    ['a lock', { type: 'Lock', object: 'post' }],
    ['the ban of an account', { type: 'Block', object: 'somebody', target: 'group' }],
    ['an Undo', { type: 'Undo', object: { type: 'Like', object: 'post' } }],
  ])('S13 makes no request for %s that a group announces', async (_, passedOn) => {
    await send({
      type: 'Announce',
      object: { id: `${far.url}/activities/1`, actor: `${far.url}/users/x`, ...passedOn },
    });
    await batch();
    expect(await waiting()).toEqual([]);
    expect(far.seen).toEqual([]);
  });

  it('S13 gives a job its own limits, not those of the work that started it', async () => {
    const ada = await app.world.as('ada');
    await ada.post('/api/svc/follow_import', { list: far.actor('zoe', key).handle }).expect(200);
    await app.get(Asker).without(() => app.drain());
    expect(far.seen).not.toEqual([]);
  });
});
