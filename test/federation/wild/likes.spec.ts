import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { addEmoji } from '../../support/fixtures/emoji.js';

type Json = Readonly<Record<string, unknown>>;

/** The forms in which servers send a favourite or a reaction. */
describe('A Like or EmojiReact', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let post: { id: string; uri: string };
  let mo: RawActor;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    await addEmoji(app, 'tea');
  });
  beforeEach(async () => {
    mo = peer.actor(`mo${(names += 1)}`, key);
    const client = await app.world.as('ada');
    post = (await client.post('/api/v1/statuses', { status: 'tea' }).expect(200)).body as typeof post;
  });

  const send = (activity: Json) => sendTo(app, mo, activity);
  /** The favourites of the post, and the names of its reactions. */
  const given = async () => {
    const { body } = await (await app.world.as('ada')).get(`/api/v1/statuses/${post.id}`).expect(200);
    const { favourites_count: favourites, svc } = body as {
      favourites_count: number;
      svc: { emoji_reactions: { name: string }[] };
    };
    return [favourites, ...svc.emoji_reactions.map(({ name }) => name.replace(/@.*/, ''))];
  };
  const tag = [{ type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: 'https://pics.example/blob.png' } }];

  it.each<[string, Json, (number | string)[]]>([
    ['Like without anything', { type: 'Like' }, [1]],
    ['Like with a heart', { type: 'Like', content: '❤️' }, [1]],
    ['Like with an emoji', { type: 'Like', content: '🍵' }, [0, '🍵']],
    ['Like with a custom emoji', { type: 'Like', content: ':blob:', tag }, [0, 'blob']],
    ['Like with a custom emoji of this server', { type: 'Like', content: ':tea:' }, [0, 'tea']],
    ['Like with an unknown custom emoji', { type: 'Like', content: ':blob:' }, [1]],
    ['Like with an unknown reaction of Misskey', { type: 'Like', _misskey_reaction: ':blob@elsewhere.example:' }, [1]],
    ['Like with a text', { type: 'Like', content: 'I like it' }, [1]],
    ['EmojiReact with an unknown custom emoji', { type: 'EmojiReact', content: ':blob:' }, [0]],
    ['EmojiReact with a text', { type: 'EmojiReact', content: 'I like it' }, [0]],
  ])('that is a %s counts, and can be undone', async (_form, form, expected) => {
    const activity = { id: `${mo.uri}#1`, object: post.uri, ...form };
    await send(activity);
    expect(await given()).toEqual(expected);
    await send({ id: `${mo.uri}#2`, type: 'Undo', object: { actor: mo.uri, ...activity } });
    expect(await given()).toEqual([0]);
  });

  it('that showed a custom emoji can be undone after the emoji was removed from its server (Misskey)', async () => {
    const like = { id: `${mo.uri}#1`, type: 'Like', object: post.uri, content: ':blob:' };
    await send({ ...like, tag });
    expect(await given()).toEqual([0, 'blob']);
    await send({ id: `${mo.uri}#2`, type: 'Undo', object: { actor: mo.uri, ...like } });
    expect(await given()).toEqual([0]);
  });
});
