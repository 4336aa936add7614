import { Activity, Note, Object as ApObject, Person, Question, QuoteAuthorization } from '@fedify/vocab';
import jsonld from 'jsonld';
import { documentLoader, FEDIFY_LOADERS } from '../../support/federation/json-ld.js';
import { useApp } from '../../support/servers/app.js';
import type { Client } from '../../support/fixtures/world.js';
import { upload } from '../../support/fixtures/uploads.js';

type Json = Readonly<Record<string, unknown>>;
/** A post that says who may quote it. */
interface Quotable {
  readonly interactionPolicy: { readonly canQuote: { readonly automaticApproval: readonly string[] } };
}

const AS = 'https://www.w3.org/ns/activitystreams';
const TERMS = {
  toot: 'http://joinmastodon.org/ns#',
  misskey: 'https://misskey-hub.net/ns#',
  sensitive: 'as:sensitive',
  Hashtag: 'as:Hashtag',
  Emoji: 'toot:Emoji',
  votersCount: 'toot:votersCount',
  quoteUrl: 'as:quoteUrl',
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  _misskey_quote: 'misskey:_misskey_quote',
  quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
  quoteAuthorization: { '@id': 'https://w3id.org/fep/044f#quoteAuthorization', '@type': '@id' },
  gts: 'https://gotosocial.org/ns#',
  interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
  canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
  automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
  manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
};
/** The contexts to which servers compact what they read. */
const CONTEXTS: Readonly<Record<string, unknown>> = {
  ActivityStreams: AS,
  'Mastodon and Misskey': [AS, 'https://w3id.org/security/v1', TERMS],
};

describe('A server that reads JSON-LD', () => {
  const app = useApp({ once: [] });
  let alice: Client;

  beforeAll(async () => {
    for (const name of ['alice', 'ben']) await app.world.person(name);
    alice = await app.world.as('alice');
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice', note: 'likes tea' }).expect(200);
  });

  const compact = async (document: Json, context: unknown) =>
    (await jsonld.compact(document, context as jsonld.ContextDefinition, { documentLoader })) as Json;
  const read = async (uri: string): Promise<Json> =>
    (await app.http.get(new URL(uri).pathname).set('accept', 'application/activity+json').expect(200)).body as Json;
  const written = async (values: Record<string, unknown>) =>
    (await alice.post('/api/v1/statuses', values).expect(200)).body as { uri: string; id: string };

  const POSTS: Readonly<Record<string, () => Promise<{ uri: string }>>> = {
    'a plain post': () => written({ status: 'tea' }),
    'a post with a warning': () => written({ status: 'tea', spoiler_text: 'hot' }),
    'a post in a language': () => written({ status: 'Tee', language: 'de' }),
    'a post with a hashtag, a mention and a link': () => written({ status: '#tea with @alice at https://tea.test' }),
    'a poll': () => written({ status: 'tea?', poll: { options: ['yes', 'no'], expires_in: 600 } }),
    'a post with a picture': async () => {
      const { id } = await upload(app, 'alice');
      await alice.put(`/api/v1/media/${id}`, { description: 'a cup' }).expect(200);
      return written({ status: 'look', media_ids: [id] });
    },
    'an answer': async () => written({ status: 'more', in_reply_to_id: (await written({ status: 'tea' })).id }),
    'a quote of another author': async () => {
      const ben = await app.world.as('ben');
      const { id } = (await ben.post('/api/v1/statuses', { status: 'tea' }).expect(200)).body as { id: string };
      return written({ status: 'see', quote_id: id });
    },
    'a post that followers may quote': () => written({ status: 'tea', quote_approval_policy: 'followers' }),
    'a quote': async () => written({ status: 'see', quote_id: (await written({ status: 'tea' })).id }),
  };
  /** What people see of a post; lists of one may become that one. */
  const QUOTE = ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote', 'quoteAuthorization'];
  const SEEN = ['type', 'content', 'summary', 'sensitive', 'published', 'inReplyTo', ...QUOTE];
  const namesOf = (list: unknown) => [list].flat().map((each) => (each as Json | undefined)?.['name']);

  const cases = Object.entries(POSTS).map(([what, make]) => ({ what, make }));

  it.each(cases)('finds everything in $what', async ({ make }) => {
    const document = await read((await make()).uri);
    for (const context of Object.values(CONTEXTS)) {
      const seen = await compact(document, context);
      const known = context === AS ? SEEN.filter((name) => !(name in TERMS)) : SEEN;
      for (const name of known.filter((each) => document[each] !== undefined && document[each] !== null))
        expect([name, seen[name]]).toEqual([name, document[name]]);
      for (const name of ['attachment', 'oneOf'])
        if (document[name] !== undefined && [document[name]].flat().length > 0)
          expect(namesOf(seen[name])).toEqual(namesOf(document[name]));
    }
    const object = await ApObject.fromJsonLd(document, FEDIFY_LOADERS);
    expect(object.constructor).toBe(document['type'] === 'Question' ? Question : Note);
    expect(String(object.content)).toBe(document['content']);
    if (document['summary'] !== null) expect(String(object.summary ?? '')).toBe(document['summary']);
    const { quoteId, quoteUrl, quoteAuthorizationId } = object as Note;
    const quoted = [quoteId, quoteUrl, quoteAuthorizationId].map((each) => each?.href);
    expect(quoted).toEqual([document['quote'], document['quoteUrl'], document['quoteAuthorization']]);
  });

  it.each(cases)('finds who may quote $what', async ({ make }) => {
    const document = await read((await make()).uri);
    const policy = (await compact(document, CONTEXTS['Mastodon and Misskey']))['interactionPolicy'];
    const [approved] = (document as unknown as Quotable).interactionPolicy.canQuote.automaticApproval;
    const isOpen = approved === `${AS}#Public`;
    expect(policy).toMatchObject({ canQuote: { automaticApproval: isOpen ? 'as:Public' : approved } });
    const object = await ApObject.fromJsonLd(document, FEDIFY_LOADERS);
    expect(object.interactionPolicy?.canQuote?.automaticApproval?.href).toBe(approved);
  });

  it('finds the two posts and the author of a consent to a quote', async () => {
    const { uri } = await POSTS['a quote of another author']!();
    const { quoteAuthorization, quote } = await read(uri);
    const document = await read(String(quoteAuthorization));
    const consent = await ApObject.fromJsonLd(document, FEDIFY_LOADERS);
    expect(consent).toBeInstanceOf(QuoteAuthorization);
    const { attributionId, interactingObjectId, interactionTargetId } = consent as QuoteAuthorization;
    const found = [attributionId, interactingObjectId, interactionTargetId].map((each) => each?.href);
    expect(found).toEqual([`${app.env.baseUrl}/users/ben`, uri, quote]);
    expect(await compact(document, AS)).toMatchObject({ id: quoteAuthorization });
  });

  it('finds the name and the biography of an account', async () => {
    const document = await read(`${app.env.baseUrl}/users/alice`);
    for (const context of Object.values(CONTEXTS)) {
      const { name, summary, preferredUsername } = await compact(document, context);
      expect({ name, summary, preferredUsername }).toEqual({
        name: 'Alice',
        summary: document['summary'],
        preferredUsername: 'alice',
      });
    }
    const person = await ApObject.fromJsonLd(document, FEDIFY_LOADERS);
    expect(person).toBeInstanceOf(Person);
    expect(String(person.name)).toBe('Alice');
  });

  it('finds every activity of an outbox', async () => {
    const { first } = await read(`${app.env.baseUrl}/users/alice/outbox`);
    const { pathname, search } = new URL(first as string);
    const page = await app.http
      .get(pathname + search)
      .set('accept', 'application/activity+json')
      .expect(200);
    const items = (page.body as { orderedItems: Json[]; '@context': unknown }).orderedItems;
    expect(items.length).toBeGreaterThan(5);
    for (const item of items) {
      const whole = { '@context': (page.body as Json)['@context'], ...item };
      expect(await ApObject.fromJsonLd(whole, FEDIFY_LOADERS)).toBeInstanceOf(Activity);
      expect((await compact(whole, AS))['type']).toBe(item['type']);
    }
  });
});
