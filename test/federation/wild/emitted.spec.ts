import { Activity, Object as ApObject } from '@fedify/vocab';
import { expandStrictly, FEDIFY_LOADERS } from '../../support/federation/json-ld.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { addEmoji } from '../../support/fixtures/emoji.js';
import { ok } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

type Json = Readonly<Record<string, unknown>>;

/** What is sent, as readers of JSON-LD see it: every member means something, and nothing is lost. */
describe('An activity that is sent', () => {
  const peer = usePeer('reader.example');
  const app = useBeside([peer], { once: ['alice'] });
  let alice: Client;
  let mo: RawActor;
  let moId: string;
  let note: string;

  beforeAll(async () => {
    await app.world.person('root', { admin: true });
    alice = await app.world.as('alice');
    await addEmoji(app, 'cat');
    await (
      await app.world.as('root', 'admin:write')
    ).post('/api/v1/svc/admin/config', {
      configs: [{ group: 'activitypub', key: 'outgoing_blocks', value: true }],
    });
    const key = newKey();
    mo = peer.actor('mo', key, { featured: `${peer.url}/users/mo/featured` });
    await send({ id: `${mo.uri}#follow`, type: 'Follow', object: ourActor() });
    moId = (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!.id;
    await alice.post(`/api/v1/accounts/${moId}/follow`).expect(200);
    await send({
      id: `${mo.uri}#accept`,
      type: 'Accept',
      object: { type: 'Follow', actor: ourActor(), object: mo.uri },
    });
    const uri = `${mo.uri}/notes/1`;
    await send({ id: `${uri}#create`, type: 'Create', object: remoteNote(uri) });
    note = await idOf(uri);
  });

  const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
  const ourActor = () => `${app.env.baseUrl}/users/alice`;
  const remoteNote = (id: string, more: Json = {}): Json => {
    const published = '2026-01-01T00:00:00Z';
    return { id, type: 'Note', attributedTo: mo.uri, content: 'tea', published, to: [PUBLIC], ...more };
  };
  const send = (activity: Json) => sendTo(app, mo, activity);
  const idOf = async (uri: string) =>
    (await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]))[0]!.id;
  const write = async (values: Json = {}) =>
    String((await ok<Json>(alice.post('/api/v1/statuses', { status: 'tea', ...values })))['id']);
  const withPicture = async () => {
    const { id } = await upload(app, 'alice');
    await ok<Json>(alice.put(`/api/v1/media/${id}`, { description: 'a cup', focus: '0.5,0.5' }));
    return write({ media_ids: [id], sensitive: true });
  };
  const chat = async () => String((await ok<Json>(alice.post(`/api/v1/svc/chats/by-account-id/${moId}`)))['id']);
  const message = async (values: Json = { content: 'psst' }) => {
    const of = await chat();
    return [of, String((await ok<Json>(alice.post(`/api/v1/svc/chats/${of}/messages`, values)))['id'])] as const;
  };
  const act = (action: string, values: Json = {}) => ok<Json>(alice.post(`/api/v1/statuses/${note}/${action}`, values));
  const relate = (action: string) => ok<Json>(alice.post(`/api/v1/accounts/${moId}/${action}`));

  /** What people do, in an order in which each is possible. */
  const DEEDS: readonly (readonly [name: string, types: string, deed: () => Promise<unknown>])[] = [
    ['a post', 'Create Note', () => write()],
    ['an unlisted post with a warning', 'Create Note', () => write({ visibility: 'unlisted', spoiler_text: 'hot' })],
    ['a post for followers', 'Create Note', () => write({ visibility: 'private', language: 'de' })],
    ['a direct post', 'Create Note', () => write({ visibility: 'direct', status: `@${mo.handle} psst :cat:` })],
    [
      'a post with a hashtag, a link and an emoji',
      'Create Note',
      () => write({ status: '#tea :cat: https://tea.test' }),
    ],
    ['a post in Markdown', 'Create Note', () => write({ status: '**tea**', content_type: 'text/markdown' })],
    ['a post with a picture', 'Create Note', withPicture],
    ['a poll', 'Create Question', () => write({ poll: { options: ['yes', 'no'], expires_in: 600, multiple: true } })],
    ['an answer', 'Create Note', () => write({ in_reply_to_id: note })],
    ['a quote', 'Create Note', () => write({ quote_id: note })],
    ['a request for a quote', 'QuoteRequest', () => write({ quote_id: note })],
    [
      'an edit',
      'Update Note',
      async () => ok<Json>(alice.put(`/api/v1/statuses/${await write()}`, { status: 'coffee' })),
    ],
    ['a deletion', 'Delete Tombstone', async () => ok<Json>(alice.delete(`/api/v1/statuses/${await write()}`))],
    ['a favourite', 'Like', () => act('favourite')],
    ['the end of a favourite', 'Undo Like', () => act('unfavourite')],
    ['a reaction', 'EmojiReact', () => ok<Json>(alice.put(`/api/v1/svc/statuses/${note}/reactions/🎉`))],
    [
      'the end of a reaction',
      'Undo EmojiReact',
      () => ok<Json>(alice.delete(`/api/v1/svc/statuses/${note}/reactions/🎉`)),
    ],
    [
      'a reaction with a picture',
      'EmojiReact',
      () => ok<Json>(alice.put(`/api/v1/svc/statuses/${note}/reactions/cat`)),
    ],
    ['a boost', 'Announce', () => act('reblog')],
    ['the end of a boost', 'Undo Announce', () => act('unreblog')],
    [
      'a boost for followers',
      'Announce Note',
      async () =>
        ok<Json>(
          alice.post(`/api/v1/statuses/${await write({ visibility: 'private' })}/reblog`, { visibility: 'private' }),
        ),
    ],
    ['a pinned post', 'Add', async () => ok<Json>(alice.post(`/api/v1/statuses/${await write()}/pin`))],
    [
      'the end of a pin',
      'Remove',
      async () => {
        const [pinned] = (await ok<Json>(
          alice.get(`/api/v1/accounts/${app.world.id('alice')}/statuses`, { pinned: true }),
        )) as unknown as Json[];
        await ok<Json>(alice.post(`/api/v1/statuses/${String(pinned!['id'])}/unpin`));
      },
    ],
    ['a chat message', 'Create ChatMessage', () => message()],
    [
      'a chat message with a file',
      'Create ChatMessage',
      async () => message({ media_id: (await upload(app, 'alice')).id }),
    ],
    [
      'the end of a chat message',
      'Delete Tombstone',
      async () => {
        const [of, id] = await message();
        await ok<Json>(alice.delete(`/api/v1/svc/chats/${of}/messages/${id}`));
      },
    ],
    [
      'a profile',
      'Update Person',
      () =>
        ok<Json>(
          alice.patch('/api/v1/accounts/update_credentials', {
            display_name: 'Alice :cat:',
            note: 'likes #tea',
            fields_attributes: [{ name: 'page', value: 'https://alice.test' }],
            discoverable: true,
          }),
        ),
    ],
    [
      'a vote',
      'Create Note',
      async () => {
        const uri = `${mo.uri}/polls/1`;
        const oneOf = ['yes', 'no'].map((name) => ({
          type: 'Note',
          name,
          replies: { type: 'Collection', totalItems: 0 },
        }));
        const question = remoteNote(uri, { type: 'Question', oneOf, endTime: '2099-01-01T00:00:00Z' });
        await send({ id: `${uri}#create`, type: 'Create', object: question });
        const status = await ok<Json>(alice.get(`/api/v1/statuses/${await idOf(uri)}`));
        await ok<Json>(alice.post(`/api/v1/polls/${String((status['poll'] as Json)['id'])}/votes`, { choices: [0] }));
      },
    ],
    [
      'a report',
      'Flag',
      () =>
        ok<Json>(
          alice.post('/api/v1/reports', { account_id: moId, status_ids: [note], comment: 'rude', forward: true }),
        ),
    ],
    [
      'a track',
      'Listen Audio',
      () => {
        const track = { title: 'Tea', artist: 'Mo', album: 'Cups', length: 180_000 };
        return ok<Json>(alice.post('/api/v1/svc/scrobble', { ...track, external_link: 'https://music.test/1' }));
      },
    ],
    ['the end of a follow', 'Undo Follow', () => relate('unfollow')],
    ['a follow', 'Follow', () => relate('follow')],
    [
      'the consent to a follow',
      'Accept Follow',
      () => send({ id: `${mo.uri}#again`, type: 'Follow', object: ourActor() }),
    ],
    ['the removal of a follower', 'Reject Follow', () => relate('remove_from_followers')],
    ['a block', 'Block', () => relate('block')],
    ['the end of a block', 'Undo Block', () => relate('unblock')],
    [
      'the end of an account',
      'Delete',
      async () => {
        await send({ id: `${mo.uri}#last`, type: 'Follow', object: ourActor() });
        await app.drain();
        peer.received.length = 0;
        await ok<Json>(alice.post('/api/v1/svc/delete_account', { password: PASSWORD }));
      },
    ],
  ];

  // Pleroma takes one file in a chat message, and refuses an empty list.
  it('names the file of a chat message only where there is one', async () => {
    const sent = async (values: Json) => {
      await app.drain();
      peer.received.length = 0;
      await message(values);
      await app.drain();
      return peer.received.find(({ type }) => type === 'Create')!['object'];
    };
    expect(await sent({ content: 'psst' })).not.toHaveProperty('attachment');
    const { id } = await upload(app, 'alice');
    expect(await sent({ media_id: id })).toMatchObject({ attachment: [{ type: 'Document' }] });
  });

  it.each(DEEDS)('describes %s completely: %s', async (_name, types, deed) => {
    await app.drain();
    peer.received.length = 0;
    await deed();
    await app.drain();
    const activity = peer.received.findLast((one) => types.startsWith(String(one['type'])))!;
    expect([activity['type'], (activity['object'] as Json)['type']].join(' ').trim()).toBe(types);
    await expandStrictly(activity);
    const read = await Activity.fromJsonLd(activity, FEDIFY_LOADERS);
    expect([read.constructor.name, read.id?.href]).toEqual([activity['type'], activity['id']]);
  });
});

/** Documents that are served under addresses of their own. */
describe('A document', () => {
  const app = useApp({ once: ['alice'] });
  let alice: Client;
  let uri: string;

  beforeAll(async () => {
    alice = await app.world.as('alice');
    const { body } = await alice.post('/api/v1/statuses', { status: 'tea' }).expect(200);
    ({ uri } = body as { uri: string });
    const { id } = body as { id: string };
    await alice.post('/api/v1/statuses', { status: 'more', in_reply_to_id: id }).expect(200);
    await alice.post(`/api/v1/statuses/${id}/pin`).expect(200);
    await alice.post(`/api/v1/statuses/${id}/reblog`).expect(200);
  });

  const read = async (address: string): Promise<Json> => {
    const { pathname, search } = new URL(address, app.env.baseUrl);
    const request = app.http.get(pathname + search).set('accept', 'application/activity+json');
    return (await request.expect(200)).body as Json;
  };

  it.each([
    ['an actor', 'Person', () => '/users/alice'],
    ['an outbox', 'OrderedCollection', () => '/users/alice/outbox'],
    ['a page of an outbox', 'OrderedCollectionPage', () => '/users/alice/outbox?page=true'],
    ['followers', 'OrderedCollection', () => '/users/alice/followers'],
    ['followees', 'OrderedCollection', () => '/users/alice/following'],
    ['a page of followers', 'OrderedCollectionPage', () => '/users/alice/followers?page=true'],
    ['pinned posts', 'OrderedCollection', () => '/users/alice/collections/featured'],
    ['a post', 'Note', () => uri],
    ['its Create', 'Create', () => `${uri}/activity`],
    ['its replies', 'OrderedCollection', () => `${uri}/replies`],
    ['a page of its replies', 'OrderedCollectionPage', () => `${uri}/replies?page=true`],
    ['its conversation', 'OrderedCollection', async () => String((await read(uri))['context'])],
    ['the actor of the server', 'Application', () => '/internal/fetch'],
    ['the actor at the root', 'Application', () => '/'],
  ])('is understood by strict readers: %s', async (_name, type, address) => {
    const document = await read(await address());
    expect(document['type']).toBe(type);
    await expandStrictly(document);
    const object = await ApObject.fromJsonLd(document, FEDIFY_LOADERS);
    expect([object.constructor.name, object.id?.href]).toEqual([type, document['id']]);
  });
});
