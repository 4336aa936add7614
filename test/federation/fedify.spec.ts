import {
  Accept,
  type Activity,
  Announce,
  Create,
  Delete,
  Document,
  EmojiReact,
  Emoji,
  Follow,
  Hashtag,
  Image,
  Like,
  Mention,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Question,
  Tombstone,
  Undo,
  Update,
} from '@fedify/vocab';
import type { PlainStatusJson } from '../../src/statuses/index.js';
import { FedifyPeer } from '../support/federation/fedify-peer.js';
import { type Member, type Server, settle, startServer } from '../support/federation/servers.js';
import { addEmoji } from '../support/fixtures/emoji.js';
import { ok } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import { freePort } from '../support/servers/free-port.js';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The format that Fedify signs with first; it tries the other one when that is refused. */
describe.each(['rfc9421', 'draft-cavage-http-signatures-12'] as const)('a Fedify server that signs with %s', (spec) => {
  let fay: FedifyPeer;
  let server: Server;
  let alice: Member;

  beforeAll(async () => {
    fay = await FedifyPeer.start(spec);
    server = await startServer(await freePort(), [Number(new URL(fay.url).port)]);
    alice = await server.member('alice');
    await addEmoji(server, 'cat');
  });
  afterAll(async () => {
    await server.close();
    await fay.close();
  });

  const fayUri = () => new URL(fay.uri);
  /** Sends an activity to alice and lets our server process it. */
  const send = async (activity: Activity) => {
    await fay.send(activity, alice);
    await settle(server);
  };
  const write = async (status: string, options: Record<string, unknown> = {}): Promise<PlainStatusJson> => {
    const post = await alice.write(status, options);
    await settle(server);
    return post;
  };
  /** The last activity of a type that Fedify received. */
  const last = <T extends Activity>(type: new (...values: never[]) => T) => fay.of(type).at(-1);
  const noteTo = async (content: string, values: ConstructorParameters<typeof Note>[0] = {}) => {
    const id = fay.newUri('notes');
    const { to = PUBLIC_COLLECTION, ...others } = values;
    const note = new Note({ id, attribution: fayUri(), content, to, cc: new URL(alice.uri), ...others });
    fay.notes.set(id.href, note);
    await send(new Create({ id: fay.newUri(), actor: fayUri(), object: note, to, cc: new URL(alice.uri) }));
    return { uri: id.href, id, note };
  };

  it('reads our actor', async () => {
    const actor = await fay.lookup(alice.uri);
    expect(actor).toBeInstanceOf(Person);
    const person = actor as Person;
    expect(String(person.preferredUsername)).toBe('alice');
    expect(person.inboxId?.href).toBe(`${alice.uri}/inbox`);
    expect(person.endpoints?.sharedInbox?.href).toBe(`${server.url}/inbox`);
    expect(person.manuallyApprovesFollowers).toBe(false);
    const key = await person.getPublicKey();
    expect(key?.ownerId?.href).toBe(alice.uri);
  });

  it('follows a local account, which accepts', async () => {
    const follow = new Follow({ id: fay.newUri(), actor: fayUri(), object: new URL(alice.uri) });
    await send(follow);
    const accept = last(Accept)!;
    expect(accept.actorId?.href).toBe(alice.uri);
    expect(accept.objectId?.href).toBe(follow.id?.href);
    expect(await alice.notifications('follow')).toMatchObject([{ account: { url: fay.uri } }]);
  });

  it('is followed and accepts', async () => {
    await alice.follow(fay);
    await settle(server);
    expect(await alice.relationTo(fay)).toMatchObject({ following: true, requested: false, followed_by: true });
  });

  it('receives a post with all its contents', async () => {
    const media = await upload(server, 'alice');
    await ok(alice.put(`/api/v1/media/${media.id}`, { description: 'a cup' }));
    const post = await write(`tea :cat: #Time @${fay.handle}`, {
      spoiler_text: 'drinks',
      sensitive: true,
      media_ids: [media.id],
      language: 'en',
    });
    const create = last(Create)!;
    expect(create.actorId?.href).toBe(alice.uri);
    const note = (await create.getObject()) as Note;
    expect(note).toBeInstanceOf(Note);
    expect(note.id?.href).toBe(post.uri);
    expect(note.attributionId?.href).toBe(alice.uri);
    expect(note.toIds.map(({ href }) => href)).toContain(PUBLIC_COLLECTION.href);
    expect(note.toIds.map(({ href }) => href)).toContain(fay.uri);
    expect(note.ccIds.map(({ href }) => href)).toEqual([`${alice.uri}/followers`]);
    expect(String(note.content)).toContain('tea');
    expect(String(note.summary)).toBe('drinks');
    expect(note.sensitive).toBe(true);
    expect(note.published?.epochMilliseconds).toBe(Date.parse(post.created_at));
    const tags = await all(note.getTags());
    const named = (type: typeof Mention | typeof Hashtag | typeof Emoji) =>
      tags.filter((tag) => tag instanceof type).map(({ name }) => String(name));
    expect([named(Mention), named(Hashtag), named(Emoji)]).toEqual([[`@${fay.handle}`], ['#time'], [':cat:']]);
    const attachments = (await all(note.getAttachments())) as Document[];
    expect(attachments.map(({ mediaType, name, urls }) => [mediaType, String(name), urls.length])).toEqual([
      ['image/png', 'a cup', 1],
    ]);
  });

  it('fetches public and unlisted posts, but not direct posts for others', async () => {
    for (const visibility of ['public', 'unlisted']) {
      const post = await write(visibility, { visibility });
      const note = await fay.lookup(post.uri);
      expect(note).toBeInstanceOf(Note);
      expect((note as Note).id?.href).toBe(post.uri);
    }
    const other = await write('for nobody there', { visibility: 'direct' });
    expect(await fay.lookup(other.uri)).toBeNull();
  });

  it('receives polls, edits and deletions', async () => {
    const asked = await write('tea?', { poll: { options: ['green', 'black'], expires_in: 3_600 } });
    const question = (await last(Create)!.getObject()) as Question;
    expect(question).toBeInstanceOf(Question);
    const options = await all(question.getExclusiveOptions());
    expect(options.map(({ name }) => String(name))).toEqual(['green', 'black']);
    const post = await write('tae');
    await ok(alice.put(`/api/v1/statuses/${post.id}`, { status: 'tea' }));
    await settle(server);
    const edited = (await last(Update)!.getObject()) as Note;
    expect([edited.id?.href, edited.updated !== null]).toEqual([post.uri, true]);
    for (const { id } of [asked, post]) await ok(alice.delete(`/api/v1/statuses/${id}`));
    await settle(server);
    expect(
      fay
        .of(Delete)
        .map(({ objectId }) => objectId?.href)
        .sort(),
    ).toEqual([asked.uri, post.uri].sort());
    expect(await fay.lookup(post.uri).catch(() => null)).toBeNull();
  });

  it('replies to a local post', async () => {
    const post = await write('tea?');
    const { uri } = await noteTo(`<p><b>yes</b><script>x</script></p>`, {
      replyTarget: new URL(post.uri),
      tags: [new Mention({ href: new URL(alice.uri), name: `@${alice.handle}` })],
    });
    const reply = (await alice.copyOf({ uri }))!;
    expect(reply).toMatchObject({ in_reply_to_id: post.id, visibility: 'public', account: { url: fay.uri } });
    expect(reply.content).not.toContain('script');
    expect(await alice.notifications('mention')).toMatchObject([{ status: { uri } }]);
    expect(await alice.copyOf(post)).toMatchObject({ replies_count: 1 });
  });

  it('sends a post with a picture and an emoji, edits it and deletes it', async () => {
    const { uri, note } = await noteTo('look :fox:', {
      summary: 'animals',
      sensitive: true,
      attachments: [new Image({ url: new URL('/fox.png', fay.url), mediaType: 'image/png', name: 'a fox' })],
      tags: [
        new Emoji({
          id: new URL('/emoji/fox', fay.url),
          name: ':fox:',
          icon: new Image({ url: new URL('/fox.png', fay.url), mediaType: 'image/png' }),
        }),
      ],
    });
    expect(await alice.copyOf({ uri })).toMatchObject({
      spoiler_text: 'animals',
      sensitive: true,
      emojis: [{ shortcode: 'fox' }],
      media_attachments: [{ type: 'image', description: 'a fox' }],
    });
    const before = (await note.toJsonLd()) as object;
    const changed = await Note.fromJsonLd({ ...before, content: 'looked', updated: new Date().toISOString() });
    fay.notes.set(uri, changed);
    await send(new Update({ id: fay.newUri(), actor: fayUri(), object: changed, to: PUBLIC_COLLECTION }));
    expect(await alice.copyOf({ uri })).toMatchObject({ svc: { content: { 'text/plain': 'looked' } } });
    fay.notes.delete(uri);
    const tombstone = new Tombstone({ id: new URL(uri) });
    await send(new Delete({ id: fay.newUri(), actor: fayUri(), object: tombstone, to: PUBLIC_COLLECTION }));
    expect(await alice.copyOf({ uri })).toBeUndefined();
  });

  it('likes, reacts to and boosts a post, and undoes all three', async () => {
    const post = await write('tea');
    const deed = { actor: fayUri(), object: new URL(post.uri) };
    const done = [
      new Like({ id: fay.newUri(), ...deed }),
      new EmojiReact({ id: fay.newUri(), ...deed, content: '🍵' }),
      new Announce({ id: fay.newUri(), ...deed, to: PUBLIC_COLLECTION }),
    ];
    for (const activity of done) await send(activity);
    expect(await alice.copyOf(post)).toMatchObject({
      favourites_count: 1,
      reblogs_count: 1,
      svc: { emoji_reactions: [{ name: '🍵', count: 1 }] },
    });
    for (const object of done) await send(new Undo({ id: fay.newUri(), actor: fayUri(), object }));
    expect(await alice.copyOf(post)).toMatchObject({
      favourites_count: 0,
      reblogs_count: 0,
      svc: { emoji_reactions: [] },
    });
  });

  it('receives our favourite and boost of its post, and their Undo', async () => {
    const { uri } = await noteTo('tea');
    await alice.act({ uri }, 'favourite');
    await alice.act({ uri }, 'reblog');
    await settle(server);
    expect(last(Like)?.objectId?.href).toBe(uri);
    expect(last(Announce)?.objectId?.href).toBe(uri);
    await alice.act({ uri }, 'unfavourite');
    await alice.act({ uri }, 'unreblog');
    await settle(server);
    const undone = await Promise.all(fay.of(Undo).map((undo) => undo.getObject()));
    const isUndone = (type: typeof Like | typeof Announce) => undone.filter((each) => each instanceof type).length;
    expect([isUndone(Like), isUndone(Announce)]).toEqual([1, 1]);
  });

  it('deletes its account', async () => {
    const { uri } = await noteTo('last words');
    await send(new Delete({ id: fay.newUri(), actor: fayUri(), object: fayUri(), to: PUBLIC_COLLECTION }));
    expect(await alice.copyOf({ uri })).toBeUndefined();
    expect(await server.sql('select from accounts where ap_id = $1 and deleted_at is null', [fay.uri])).toEqual([]);
    expect(await server.sql('select from follows')).toEqual([]);
  });
});
