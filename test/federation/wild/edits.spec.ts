import { AttachmentsService } from '../../../src/media/index.js';
import { ModeratedStatusesService } from '../../../src/statuses/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const PUBLISHED = '2026-01-01T00:00:00Z';
const UPDATED = '2026-01-02T00:00:00Z';

interface Shown {
  readonly content: string;
  readonly language: string | null;
  readonly edited_at: string | null;
  readonly tags: readonly { readonly name: string }[];
  readonly emojis: readonly { readonly shortcode: string }[];
  readonly media_attachments: readonly { readonly description: string | null }[];
}

/** What an Update of a post changes, and whether people see it as an edit. */
describe('An edit of a post of another server', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben'] });
  let mo: RawActor;
  let names = 0;
  const key = newKey();

  beforeEach(() => {
    mo = peer.actor(`mo${(names += 1)}`, key);
  });

  const local = (name: string) => `${app.env.baseUrl}/users/${name}`;
  const picture = (name: string): Json => ({
    type: 'Image',
    mediaType: 'image/png',
    url: `https://pics.example/${name}`,
    name,
  });
  const emoji: Json = { type: 'Emoji', name: ':cat:', icon: { type: 'Image', url: 'https://pics.example/cat.png' } };
  const hashtag: Json = { type: 'Hashtag', name: '#coffee' };
  const note = (changes: Json = {}): Json => ({
    id: `${mo.uri}/notes/1`,
    type: 'Note',
    attributedTo: mo.uri,
    to: [PUBLIC],
    cc: [local('ada')],
    content: '<p>tea :cat:</p>',
    contentMap: { en: '<p>tea :cat:</p>' },
    tag: [{ type: 'Hashtag', name: '#tea' }],
    attachment: [picture('one'), picture('two')],
    published: PUBLISHED,
    ...changes,
  });
  const send = (type: string, changes: Json = {}) =>
    sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, type, object: note(changes) });
  const read = async <T>(path = ''): Promise<T> => {
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [note()['id']]);
    return (await (await app.world.as('ada')).get(`/api/v1/statuses/${row?.id}${path}`).expect(200)).body as T;
  };
  const history = () => read<readonly Shown[]>('/history');
  const updates = () => app.sql(`select from notifications where type = 'update'`);

  it.each<[string, Json, Partial<Record<keyof Shown, unknown>>, 'revision' | 'none']>([
    ['of its text', { content: 'coffee', contentMap: null }, { content: 'coffee' }, 'revision'],
    ['of its files', { attachment: [picture('one')] }, { media_attachments: [{ description: 'one' }] }, 'revision'],
    ['of its hashtags alone', { tag: [hashtag] }, { tags: [{ name: 'coffee' }] }, 'none'],
    ['that takes its hashtags', { tag: [] }, { tags: [] }, 'none'],
    ['of its emoji alone', { tag: [emoji] }, { emojis: [{ shortcode: 'cat' }] }, 'none'],
    ['of its language alone', { contentMap: { de: '<p>tea :cat:</p>' } }, { language: 'de' }, 'none'],
    ['of nothing', {}, { tags: [{ name: 'tea' }], language: 'en' }, 'none'],
  ])('%s takes effect, with the right kind of revision', async (_which, changes, expected, kind) => {
    await send('Create');
    const before = await read<Shown>();
    const act = { method: 'post', path: `/api/v1/statuses/${(before as unknown as { id: string }).id}/reblog` };
    await (await app.world.as('ben')).post(act.path).expect(200);
    await app.drain();
    const earlier = (await updates()).length;
    await send('Update', { ...changes, updated: UPDATED });
    expect(await read()).toMatchObject(expected);
    expect(await history()).toHaveLength(kind === 'revision' ? 2 : 1);
    expect((await read<Shown>()).edited_at === null).toBe(kind === 'none');
    expect((await updates()).length - earlier).toBe(kind === 'revision' ? 1 : 0);
  });

  it('keeps the mark of the staff as sensitive until the staff removes it', async () => {
    const poll = (votes: number): Json => ({
      type: 'Question',
      oneOf: ['yes', 'no'].map((name) => ({ type: 'Note', name, replies: { totalItems: votes } })),
      votersCount: votes,
    });
    await send('Create', poll(1));
    const { id } = await read<{ id: string }>();
    const mark = (sensitive: boolean) => app.get(ModeratedStatusesService).change(id, { sensitive });
    await mark(true);
    await send('Update', poll(2));
    expect(await read()).toMatchObject({ sensitive: true, edited_at: null, poll: { votes_count: 4 } });
    expect(await history()).toHaveLength(1);
    await send('Update', { ...poll(2), content: 'coffee', contentMap: null, updated: UPDATED });
    expect(await read()).toMatchObject({ sensitive: true, content: 'coffee' });
    await mark(false);
    await send('Update', { ...poll(3), content: 'coffee', contentMap: null, updated: UPDATED });
    expect(await read()).toMatchObject({ sensitive: false, poll: { votes_count: 6 } });
  });

  it.each([
    ['at its publication', PUBLISHED, null],
    ['before its publication', '2025-01-01T00:00:00Z', null],
    ['after its publication', UPDATED, '2026-01-02T00:00:00.000Z'],
  ])('shows an edit only if it was updated after its publication: updated %s', async (_when, updated, expected) => {
    await send('Create', { updated });
    expect((await read<Shown>()).edited_at).toBe(expected);
  });

  it.each<[string, Json]>([
    ['all of its files', { attachment: [] }],
    ['one of its files', { attachment: [picture('two')] }],
    ['a description', { attachment: [picture('one'), { ...picture('two'), name: 'other' }] }],
  ])('that removes %s keeps them in the first version', async (_what, changes) => {
    await send('Create');
    await send('Update', { ...changes, updated: UPDATED });
    await app.sql(`update attachments set created_at = now() - interval '2 days'`);
    await app.get(AttachmentsService).sweep();
    const [first] = await history();
    expect(first?.media_attachments.map(({ description }) => description)).toEqual(['one', 'two']);
  });
});
