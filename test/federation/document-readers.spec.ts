import { SettingsService } from '../../src/config/index.js';
import { DocumentReaders } from '../../src/federation/documents/document-readers.js';
import { type Member, usePair } from '../support/federation/servers.js';
import {
  type Answer,
  cavageHeaders,
  newKey,
  type RawActor,
  rfc9421Headers,
  sendTo,
  useBeside,
  usePeer,
} from '../support/federation/raw-peer.js';
import { ok } from '../support/fixtures/statuses.js';
import { type Client, PASSWORD } from '../support/fixtures/world.js';

const AP = 'application/activity+json';

interface Written {
  readonly id: string;
  readonly uri: string;
}

describe('A server that only fetched a post', () => {
  const pair = usePair();
  let ann: Member;
  let ben: Member;

  beforeAll(async () => {
    [ann, ben] = await Promise.all([pair.alpha.member('ann'), pair.beta.member('ben')]);
  });

  const fetched = async (post: Written) => {
    await ok(ben.get('/api/v2/search', { q: post.uri, resolve: true }));
    await pair.settle();
    await pair.alpha.get(DocumentReaders).settled();
    expect(await ben.copyOf(post)).toBeDefined();
  };

  it('deletes its copy when the post is deleted', async () => {
    const post = await ann.write('for the world');
    await fetched(post);
    await ok(ann.delete(`/api/v1/statuses/${post.id}`));
    await pair.settle();
    expect(await ben.copyOf(post)).toBeUndefined();
    expect(await pair.beta.sql('select from statuses where uri = $1', [post.uri])).toEqual([]);
  });

  it('shows an edit of the post', async () => {
    const post = await ann.write('for the world');
    await fetched(post);
    await ok(ann.put(`/api/v1/statuses/${post.id}`, { status: 'for all of us' }));
    await pair.settle();
    expect((await ben.copyOf(post))!.content).toContain('for all of us');
  });

  it('deletes its copy of the account when the account is deleted', async () => {
    const eve = await pair.alpha.member('eve');
    await fetched(await eve.write('for the world'));
    await pair.alpha.sql('delete from document_readers where uri not like $1', ['%/users/eve']);
    await ok(eve.post('/api/svc/delete_account', { password: PASSWORD }));
    await pair.settle();
    const [copy] = await pair.beta.sql<{ gone: boolean }>(
      'select deleted_at is not null as gone from accounts where ap_id = $1',
      [eve.uri],
    );
    expect(copy).toEqual({ gone: true });
  });
});

describe('The Delete of a post', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let turn = 0;
  let mo: RawActor;
  let post: Written;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(() => {
    turn += 1;
    peer.received.length = 0;
    mo = peer.actor(`mo${turn}`, key, { endpoints: { sharedInbox: `${peer.url}/inbox` } });
    peer.answers.set('/inbox', { status: 202 });
  });
  afterEach(() => app.get(SettingsService).reset('mrf_simple.reject'));

  const write = async (values: object = {}) => {
    post = await ok<Written>(ada.post('/api/v1/statuses', { status: 'tea', ...values }));
  };
  const read = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { status } = await app.http.get(path).set({ ...headers, accept: AP });
    await app.get(DocumentReaders).settled();
    return status;
  };
  const path = () => new URL(post.uri).pathname;
  const signed = (at = path(), options: object = {}) => cavageHeaders(mo, app.env.baseUrl + at, options);
  const deletions = async () => {
    await ok(ada.delete(`/api/v1/statuses/${post.id}`));
    await app.drain();
    const ours = peer.received.filter(({ type }) => type === 'Delete');
    return ours.map((activity) => (activity['object'] as { id: string }).id);
  };

  it.each<[string, () => Promise<number>]>([
    ['the post', () => read(path(), signed())],
    ['the post, signed by RFC 9421', () => read(path(), rfc9421Headers(mo, post.uri))],
    ['its Create', () => read(`${path()}/activity`, signed(`${path()}/activity`))],
    ['its address for apps', () => read(`/users/ada/statuses/${post.id}`, signed(`/users/ada/statuses/${post.id}`))],
    ['a page of the outbox', () => read('/users/ada/outbox?page=true', signed('/users/ada/outbox?page=true'))],
    [
      'the pinned posts',
      async () => {
        await ok(ada.post(`/api/v1/statuses/${post.id}/pin`));
        return read('/users/ada/collections/featured', signed('/users/ada/collections/featured'));
      },
    ],
    [
      'the post, from an account that is known here',
      async () => {
        await sendTo(app, mo, { id: `${mo.uri}#1`, type: 'Like', object: 'nothing' });
        return read(path(), signed());
      },
    ],
  ])('is sent once to a server that fetched %s with a signature', async (_what, fetch) => {
    await write();
    expect(await fetch()).toBe(200);
    expect(await deletions()).toEqual([post.uri]);
  });

  it.each<[string, () => Promise<number>, number]>([
    ['without a signature', () => read(path(), {}), 200],
    ['with the signature of another key', () => read(path(), signed(path(), { key: newKey() })), 200],
    ['with the signature of another request', () => read(path(), signed(path(), { target: '/x' })), 200],
    ['but only the overview of the outbox', () => read('/users/ada/outbox', signed('/users/ada/outbox')), 200],
    [
      'when it is blocked',
      async () => {
        await app.get(SettingsService).update([{ path: 'mrf_simple.reject', value: [peer.host] }]);
        return read(path(), signed());
      },
      200,
    ],
  ])('does not reach a server that fetched the post %s', async (_how, fetch, status) => {
    await write();
    expect(await fetch()).toBe(status);
    expect(await deletions()).toEqual([]);
  });

  it('does not reach a server that was blocked after it fetched the post', async () => {
    await write();
    await read(path(), signed());
    await app.get(SettingsService).update([{ path: 'mrf_simple.reject', value: [peer.host] }]);
    expect(await deletions()).toEqual([]);
  });

  it.each(['private', 'direct', 'local'])(
    'does not reach a server that may not read the %s post',
    async (visibility) => {
      await write({ visibility });
      expect(await read(path(), signed())).toBe(404);
      expect(await app.sql('select from document_readers where uri = $1', [post.uri])).toEqual([]);
      expect(await deletions()).toEqual([]);
    },
  );

  it('reaches a server that fetched the post while another server claimed to be it', async () => {
    await write();
    const document = Promise.withResolvers<Answer>();
    peer.answers.set('/users/liar', document.promise);
    const forged = signed(path(), { keyId: `${peer.url}/users/liar#main-key`, key: newKey() });
    await app.http
      .get(path())
      .set({ ...forged, accept: AP })
      .expect(200);
    await app.http
      .get(path())
      .set({ ...signed(), accept: AP })
      .expect(200);
    document.resolve({ status: 404 });
    await app.get(DocumentReaders).settled();
    expect(await deletions()).toEqual([post.uri]);
  });

  /** Pretends that 1,000 servers fetched the post two days ago: `host`, whose inbox is not known, and others. */
  const readByMany = (host: string) =>
    app.sql(
      `insert into document_readers (uri, host, read_at)
       select $1, case when n = 1 then $2 else 'x' || n || '.test' end, now() - interval '2 days'
       from generate_series(1, 1000) n`,
      [post.uri, host],
    );
  const readers = () =>
    app.sql<{ host: string; inbox: string | null }>(
      `select host, inbox from document_readers where uri = $1 and read_at > now() - interval '1 day'`,
      [post.uri],
    );

  it('reaches no more than 1,000 servers that fetched the post', async () => {
    await write();
    await readByMany('x1.test');
    await read(path(), signed());
    expect(await readers()).toEqual([]);
  });

  it('finds the inbox of one of the 1,000 servers after that server has fetched the post again', async () => {
    await write();
    await readByMany(peer.host);
    await read(path(), signed());
    expect(await readers()).toEqual([{ host: peer.host, inbox: `${peer.url}/inbox` }]);
  });
});

describe('A server that stops', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });

  it('checks no waiting signatures, and stores the readers that it checks already', async () => {
    const key = newKey();
    const ada = await app.world.as('ada');
    const { uri } = await ok<Written>(ada.post('/api/v1/statuses', { status: 'tea' }));
    const held = Promise.withResolvers<undefined>();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const actor = peer.actor(name, key);
      const served = peer.answers.get(`/users/${name}`)!;
      peer.answers.set(
        `/users/${name}`,
        held.promise.then(() => served),
      );
      await app.http
        .get(new URL(uri).pathname)
        .set({ ...cavageHeaders(actor, uri), accept: AP })
        .expect(200);
    }
    const stopped = app.get(DocumentReaders).beforeApplicationShutdown();
    held.resolve(undefined);
    await stopped;
    expect(peer.seen).not.toContain('GET /users/e');
    expect(await app.sql('select host from document_readers where uri = $1', [uri])).toEqual([{ host: peer.host }]);
  });
});
