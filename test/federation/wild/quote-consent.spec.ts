import { type PlainStatusJson, StatusesService } from '../../../src/statuses/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { expectCountersToMatchRows, ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** Quotes between servers, as Mastodon (FEP-044f) and Misskey write them. */
describe('A quote', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben'] });
  let client: Client;
  let ada: string;
  let mo: RawActor;
  let eve: RawActor;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    client = await app.world.as('ada');
    ada = `${app.env.baseUrl}/users/ada`;
  });
  beforeEach(() => {
    names += 1;
    mo = actor(`mo${names}`);
    eve = actor(`eve${names}`);
    peer.received.length = 0;
  });
  afterEach(() => expectCountersToMatchRows(app));

  const actor = (name: string) => peer.actor(name, key, { followers: `${peer.url}/users/${name}/followers` });
  const write = (values: Json, by = client) => ok(by.post('/api/v1/statuses', { status: 'tea', ...values }));
  /** What ben sees of a stored post. */
  const seen = async (uri: unknown): Promise<PlainStatusJson | undefined> => {
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]);
    return row && ok((await app.world.as('ben')).get(`/api/v1/statuses/${row.id}`));
  };
  const quoted = async (uri: unknown) => (await seen(uri))?.svc.quote?.uri;
  const sent = async (type: string): Promise<Json[]> => {
    await app.drain();
    const found = peer.received.filter((activity) => activity['type'] === type);
    return [...new Map(found.map((activity) => [activity['id'], activity])).values()]; // several inboxes may get one
  };
  const fetched = (uri: unknown) =>
    app.http.get(new URL(String(uri)).pathname).set('accept', 'application/activity+json');
  const note = (changes: Json = {}, by = mo): Json => {
    const id = `${by.uri}/notes/1`;
    return { id, type: 'Note', attributedTo: by.uri, to: [PUBLIC], cc: [ada], content: 'so true', ...changes };
  };
  const create = (object: Json, by = mo) =>
    sendTo(app, by, { id: `${String(object['id'])}#create`, type: 'Create', to: [PUBLIC], cc: [ada], object });
  const update = (object: Json) => {
    const updated = new Date().toISOString();
    return sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, type: 'Update', object: { ...object, updated } });
  };
  const request = (object: string, instrument: unknown, by = mo) =>
    sendTo(app, by, { id: `${by.uri}#request${(names += 1)}`, type: 'QuoteRequest', object, instrument });
  const follow = () => sendTo(app, mo, { id: `${mo.uri}#follow`, type: 'Follow', object: ada });

  describe('of a post of this server', () => {
    it.each<[string, Json, string, 'Accept' | 'Reject' | undefined]>([
      ['public', {}, 'foreign', 'Accept'],
      ['unlisted', {}, 'foreign', 'Accept'],
      ['public', { quote_approval_policy: 'public' }, 'foreign', 'Accept'],
      ['public', { quote_approval_policy: 'followers' }, 'follower', 'Accept'],
      ['public', { quote_approval_policy: 'followers' }, 'foreign', 'Reject'],
      ['unlisted', { quote_approval_policy: 'nobody' }, 'follower', 'Reject'],
      ['public', {}, 'blocked', 'Reject'],
      ['private', {}, 'follower', 'Reject'],
      ['private', { quote_approval_policy: 'public' }, 'follower', 'Reject'],
      ['private', {}, 'foreign', undefined],
      ['direct', {}, 'foreign', undefined],
      ['local', {}, 'foreign', undefined],
    ])('that is %s, with the choice %j, answers a %s account with %s', async (visibility, choice, party, answer) => {
      if (party === 'follower') await follow();
      const { uri } = await write({ visibility, ...choice });
      await create(note({ quote: uri }));
      if (party === 'blocked') {
        const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
        await client.post(`/api/v1/accounts/${row!.id}/block`).expect(200);
      }
      await request(uri, note()['id']);
      const answers = [...(await sent('Accept')), ...(await sent('Reject'))].filter(
        ({ object }) => (object as Json)['type'] === 'QuoteRequest',
      );
      expect(answers.map(({ type, actor: by }) => [type, by])).toEqual(answer ? [[answer, ada]] : []);
      if (answer)
        expect(answers[0]?.['object']).toMatchObject({ actor: mo.uri, object: uri, instrument: note()['id'] });
      expect(await quoted(note()['id'])).toBe(answer === 'Accept' ? uri : undefined);
      if (answer !== 'Accept') return;
      const { body } = await fetched(answers[0]?.['result']).expect(200);
      expect(body).toMatchObject({
        id: answers[0]?.['result'],
        type: 'QuoteAuthorization',
        attributedTo: ada,
        interactingObject: note()['id'],
        interactionTarget: uri,
      });
    });

    it.each<[string, () => Json | string]>([
      ['embedded', () => note()],
      ['served by its server', () => String(note()['id'])],
    ])('is stored when its request comes first: %s', async (_how, instrument) => {
      const { uri } = await write({});
      const given = instrument();
      const quoting = { quote: uri, quoteUrl: uri };
      if (typeof given === 'string') peer.answers.set(new URL(given).pathname, note(quoting));
      await request(uri, typeof given === 'string' ? given : note(quoting));
      expect(await sent('Accept')).toHaveLength(1);
      expect(await quoted(note()['id'])).toBe(uri);
      await request(uri, note()['id']);
      const [first, again] = (await sent('Accept')).map(({ result }) => result);
      expect(again).toBe(first); // asked for twice, given once
    });

    it.each<[string, () => Json]>([
      ['of another author', () => note({ quote: 'QUOTED' }, eve)],
      ['that quotes another post', () => note({ quote: 'https://far.test/1' })],
      ['that quotes nothing', () => note()],
    ])('in a post %s gets no consent', async (_which, object) => {
      const { uri } = await write({});
      const made = object();
      await create(
        made['quote'] === 'QUOTED' ? { ...made, quote: uri } : made,
        made['attributedTo'] === mo.uri ? mo : eve,
      );
      await request(uri, made['id']);
      expect([...(await sent('Accept')), ...(await sent('Reject'))]).toEqual([]);
    });

    it('disappears for good when its author withdraws the consent', async () => {
      await follow();
      const post = await write({});
      await create(note({ quote: post.uri }));
      await request(post.uri, note()['id']);
      const [{ result } = {}] = (await sent('Accept')).filter((answer) => answer['result']);
      const { id } = (await seen(note()['id']))!;
      const ben = await app.world.as('ben');
      await ben.post(`/api/v1/statuses/${post.id}/quotes/${id}/revoke`).expect(404);
      const shown = await ok(client.post(`/api/v1/statuses/${post.id}/quotes/${id}/revoke`));
      expect(shown.svc).toMatchObject({ quote: null, quote_visible: false });
      await client.post(`/api/v1/statuses/${post.id}/quotes/${id}/revoke`).expect(404);
      expect(await sent('Delete')).toMatchObject([{ actor: ada, object: result }]);
      await fetched(result).expect(404);
      await update(note({ quote: post.uri, quoteAuthorization: result, content: 'still true' }));
      await update(note());
      await update(note({ quote: post.uri }));
      expect(await quoted(note()['id'])).toBeUndefined();
      await request(post.uri, note()['id']);
      expect(await sent('Reject')).toHaveLength(1);
    });

    it('never has the consent of another quote, whatever its server says', async () => {
      const post = await write({});
      const other = await write({ status: 'see', quote_id: post.id }, await app.world.as('ben'));
      const { quoteAuthorization } = ((await fetched(other.uri).expect(200)) as { body: Json }).body;
      await create(note({ quote: post.uri, quoteAuthorization }));
      await request(post.uri, note()['id']);
      const [{ result } = {}] = (await sent('Accept')).filter((answer) => answer['result']);
      expect(result).toEqual(expect.any(String));
      expect(result).not.toBe(quoteAuthorization);
      expect((await fetched(quoteAuthorization).expect(200)).body).toMatchObject({ interactingObject: other.uri });
    });

    it('contains the consent of another local author, and none for an own post', async () => {
      const post = await write({ status: 'tea' }, await app.world.as('ben'));
      const quoting = await write({ status: 'see', quote_id: post.id });
      const { body } = (await fetched(quoting.uri).expect(200)) as { body: Json };
      expect((await fetched(body['quoteAuthorization']).expect(200)).body).toMatchObject({
        attributedTo: `${app.env.baseUrl}/users/ben`,
        interactingObject: quoting.uri,
        interactionTarget: post.uri,
      });
      const own = await write({ status: 'see', quote_id: quoting.id });
      expect((await fetched(own.uri).expect(200)).body).not.toHaveProperty('quoteAuthorization');
    });
  });

  describe('of a post of another server', () => {
    const target = () => note({ cc: [ada], url: `${mo.uri}/pages/1` });
    /** ada quotes mo's post; returns the Create and the request. */
    async function quoting(values: Json = {}) {
      await create(target());
      const post = await write({ status: 'see', quote_id: (await seen(target()['id']))!.id, ...values });
      const [made] = (await sent('Create')).filter(({ object }) => (object as Json)['id'] === post.uri);
      const [asked] = await sent('QuoteRequest');
      return { post, made, asked };
    }

    it('is sent to its author, with a request, each name of the quote, and a link for other servers', async () => {
      const { post, made, asked } = await quoting();
      const { id, url } = target();
      expect(made).toMatchObject({ to: [PUBLIC], cc: [`${ada}/followers`, mo.uri] });
      expect(made?.['object']).toMatchObject({ quote: id, quoteUrl: id, quoteUri: id, _misskey_quote: id });
      const link = `<p class="quote-inline">RE: <a href="${String(url)}">${String(url)}</a></p>`;
      expect(made?.['object']).toMatchObject({ content: `${post.content}${link}` });
      expect(made?.['object']).not.toHaveProperty('quoteAuthorization');
      expect(asked).toMatchObject({ actor: ada, object: id, instrument: { id: post.uri }, to: [mo.uri] });
      expect(post.content).not.toContain('RE:');
      expect((await seen(post.uri))?.content).toBe(post.content);
    });

    it.each(['direct', 'local'])('in a %s post is not sent to its author', async (visibility) => {
      const { made, asked } = await quoting({ visibility });
      expect([made, asked]).toEqual([undefined, undefined]);
    });

    const approval = () => `${mo.uri}/approvals/1`;
    it.each<[string, (asked: Json) => Json, boolean]>([
      ['with the whole request', (asked) => asked, true],
      ['with the whole request under another id', (asked) => ({ ...asked, id: `${mo.uri}#x` }), true],
      ['with its id', (asked) => ({ id: asked['id'] }), true],
      ['by another account', (asked) => ({ ...asked, by: 'eve' }), false],
    ])('gets only the consent of its author: one that comes %s', async (_how, object, counts) => {
      const { post, asked } = await quoting();
      const { by, ...named } = object({ ...asked, instrument: post.uri });
      const answer = { type: 'Accept', object: 'actor' in named ? named : named['id'], result: approval() };
      await sendTo(app, by ? eve : mo, { id: `${by ? eve.uri : mo.uri}#accept`, ...answer });
      const updates = await sent('Update');
      expect(updates.map(({ object: each }) => (each as Json)['quoteAuthorization'])).toEqual(
        counts ? [approval()] : [],
      );
      if (counts) expect((await fetched(post.uri)).body).toMatchObject({ quoteAuthorization: approval() });
      expect(await quoted(post.uri)).toBe(target()['id']);
    });

    it('refuses a consent of another server', async () => {
      const { post, asked } = await quoting();
      await sendTo(app, mo, { id: `${mo.uri}#a`, type: 'Accept', object: asked?.['id'], result: 'https://far.test/1' });
      expect((await fetched(post.uri)).body).not.toHaveProperty('quoteAuthorization');
    });

    it.each<[string, () => RawActor, string, boolean]>([
      ['refused', () => mo, 'Reject', true],
      ['refused by another account', () => eve, 'Reject', false],
      ['taken back', () => mo, 'Delete', true],
      ['taken back with the whole consent', () => mo, 'Delete embedded', true],
      ['taken back by another account', () => eve, 'Delete', false],
    ])('disappears only when its author ends it: one %s', async (_how, by, type, hides) => {
      const { post, asked } = await quoting();
      if (type !== 'Reject')
        await sendTo(app, mo, { id: `${mo.uri}#a`, type: 'Accept', object: asked?.['id'], result: approval() });
      const who = by();
      const what = type === 'Delete embedded' ? { id: approval(), type: 'QuoteAuthorization' } : approval();
      const object = type === 'Reject' ? asked?.['id'] : what;
      await sendTo(app, who, { id: `${who.uri}#end`, type: type.split(' ')[0], object });
      expect(await quoted(post.uri)).toBe(hides ? undefined : target()['id']);
      expect(await seen(post.uri)).toMatchObject({ quote: { state: hides ? 'rejected' : 'accepted' } });
      const { body } = (await fetched(post.uri)) as { body: Json };
      expect('quote' in body || String(body['content']).includes('RE:')).toBe(!hides);
      expect((await seen(target()['id']))?.quotes_count).toBe(hides ? 0 : 1);
    });

    const followers = () => `${mo.uri}/followers`;
    it.each<[string, () => Json | undefined, Json]>([
      ['everybody', () => ({ automaticApproval: PUBLIC }), { automatic: ['public'], current_user: 'automatic' }],
      ['everybody, by a short name', () => ({ automaticApproval: ['as:Public'] }), { current_user: 'automatic' }],
      ['followers', () => ({ automaticApproval: [followers()] }), { automatic: ['followers'], current_user: 'denied' }],
      ['those who ask', () => ({ manualApproval: [PUBLIC] }), { manual: ['public'], current_user: 'manual' }],
      ['its author', () => ({ automaticApproval: [mo.uri] }), { automatic: [], manual: [], current_user: 'denied' }],
      ['nobody', () => ({ automaticApproval: [] }), { automatic: [], current_user: 'denied' }],
      ['no stated policy', () => undefined, { automatic: ['unsupported_policy'], current_user: 'unknown' }],
    ])('shows apps who may quote it: %s', async (_who, canQuote, approval) => {
      await create({ ...target(), interactionPolicy: { canQuote: canQuote() } });
      expect((await seen(target()['id']))?.quote_approval).toMatchObject(approval);
      await update({ ...target(), interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } });
      expect((await seen(target()['id']))?.quote_approval).toMatchObject({ current_user: 'automatic' });
    });
  });

  describe('between two other accounts', () => {
    const target = () => note({}, eve);
    const approval = () => `${eve.uri}/approvals/1`;
    const quotes = (changes: Json = {}) => note({ quote: target()['id'], ...changes });
    const inline = (name: string) =>
      `<p>so true</p><${name} class="quote-inline">RE: <a href="${eve.uri}/1"><span class="invisible">h</span>1</a></${name}>`;

    beforeEach(() => create(target(), eve));

    it.each<[string, () => Promise<void>, boolean]>([
      ['is shown without a consent', () => create(quotes()), true],
      ['is shown with a consent', () => create(quotes({ quoteAuthorization: approval() })), true],
      [
        'is hidden when it loses its consent',
        async () => {
          await create(quotes({ quoteAuthorization: approval() }));
          await update(quotes());
        },
        false,
      ],
      [
        'is hidden when it claims its lost consent again',
        async () => {
          await create(quotes({ quoteAuthorization: approval() }));
          await update(quotes());
          await update(quotes({ quoteAuthorization: approval() }));
        },
        false,
      ],
      [
        'is hidden when its consent is withdrawn',
        async () => {
          await create(quotes({ quoteAuthorization: approval() }));
          await sendTo(app, eve, { id: `${approval()}#delete`, type: 'Delete', object: approval() });
        },
        false,
      ],
      [
        'is shown when it gets its consent later',
        async () => {
          await create(quotes());
          await update(quotes({ quoteAuthorization: approval() }));
        },
        true,
      ],
      [
        'is shown when an edit adds it',
        async () => {
          await create(note());
          await update(quotes());
        },
        true,
      ],
      [
        'is hidden when an edit removes it',
        async () => {
          await create(quotes());
          await update(note());
        },
        false,
      ],
    ])('%s', async (_which, send, shows) => {
      await send();
      expect(await quoted(note()['id'])).toBe(shows ? target()['id'] : undefined);
      expect((await seen(target()['id']))?.quotes_count).toBe(shows ? 1 : 0);
    });

    it('of a post that its author deletes says so, however late it comes, until the post is restored', async () => {
      const state = async (uri: unknown) => (await seen(uri))?.quote?.state;
      await create(quotes());
      expect(await state(note()['id'])).toBe('accepted');
      const end = { id: `${eve.uri}#end`, type: 'Delete', object: target()['id'] };
      await sendTo(app, eve, end);
      const late = note({ id: `${mo.uri}/notes/late`, quote: target()['id'] });
      await create(late);
      expect([await state(note()['id']), await state(late['id'])]).toEqual(['deleted', 'deleted']);
      await app.sql(`update tombstones set deleted_at = now() - interval '2 years'`);
      await app.get(StatusesService).purgeTombstones();
      await app.sql('update statuses set version = version + 1'); // so that it is rendered again
      expect(await state(note()['id'])).toBe('deleted');
      peer.answers.set(new URL(String(target()['id'])).pathname, target());
      await sendTo(app, eve, { id: `${eve.uri}#undo`, type: 'Undo', object: { ...end, actor: eve.uri } });
      await app.drain();
      expect([await state(note()['id']), await state(late['id'])]).toEqual(['accepted', 'accepted']);
    });

    it('of a post that was never stored says so when that is gone, until its server serves it', async () => {
      const states = async (...uris: unknown[]) =>
        Promise.all(uris.map(async (uri) => (await seen(uri))?.quote?.state));
      const [gone, path] = [`${eve.uri}/notes/gone`, new URL(`${eve.uri}/notes/gone`).pathname];
      const quoting = (id: string) => note({ id: `${mo.uri}/notes/${id}`, quote: gone });
      await create(quoting('early'));
      expect(await states(quoting('early')['id'])).toEqual(['pending']);
      peer.answers.set(path, { status: 410 });
      await sendTo(app, eve, { id: `${eve.uri}#gone`, type: 'Delete', object: gone });
      expect(await states(quoting('early')['id'])).toEqual(['deleted']);
      const lost = note({ id: `${mo.uri}/notes/lost`, quote: `${gone}/too` });
      peer.answers.set(`${path}/too`, { status: 410 });
      await create(lost);
      expect(await states(lost['id'])).toEqual(['deleted']);
      peer.answers.set(`${path}/too`, note({ id: `${gone}/too` }, eve));
      await create(note({ id: `${mo.uri}/notes/again`, quote: `${gone}/too` }));
      expect(await states(lost['id'], `${mo.uri}/notes/again`)).toEqual(['accepted', 'accepted']);
    });

    it('that an edit adds is fetched', async () => {
      await create(note());
      const far = note({ id: `${eve.uri}/notes/2` }, eve);
      peer.answers.set(new URL(String(far['id'])).pathname, far);
      await update(note({ quoteUrl: far['id'] }));
      await app.drain();
      expect(await quoted(note()['id'])).toBe(far['id']);
    });

    it.each(['p', 'span'])('is shown without the link that stands for it in a %s', async (name) => {
      await create(quotes({ content: inline(name) }));
      const shown = await seen(note()['id']);
      expect([shown?.content, shown?.svc.content['text/plain']]).toEqual(['<p>so true</p>', 'so true']);
      await update(note({ content: inline(name) }));
      expect((await seen(note()['id']))?.content).toContain('RE: ');
    });
  });
});
