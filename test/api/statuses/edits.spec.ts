import { BlocksService } from '../../../src/accounts/index.js';
import {
  type PollJson,
  type PlainStatusJson,
  PlainStatusShape,
  type StatusEditJson,
  StatusEditShape,
} from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import { openUnitsAtTexts } from '../../support/texts.js';
import { expectCountersToMatchRows, ok, post, reblog } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
const GONE = { error: 'Record not found' };

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;
let carol: Client;

beforeEach(async () => {
  [alice, bob, carol] = await Promise.all([app.world.as('alice'), app.world.as('bob'), app.world.as('carol')]);
});

const edit = (id: string, changes: object) => ok(alice.put(`${PATH}/${id}`, { ...changes }));
const historyOf = (id: string, client: Client = alice) => ok<StatusEditJson[]>(client.get(`${PATH}/${id}/history`));
const named = ({ mentions }: PlainStatusJson) => mentions.map(({ username }) => username);

describe('an edit', () => {
  it('changes the descriptions of attachments, which alone is enough to add a revision', async () => {
    const [kept, other] = [await upload(app, 'alice'), await upload(app, 'bob')];
    const made = await post(app, 'alice', 'tea', { media_ids: [kept.id] });
    const describing = (description: string, id = kept.id) => ({ media_attributes: [{ id, description }] });
    const described = await edit(made.id, { status: 'tea', media_ids: [kept.id], ...describing('a cup') });
    expect(described.media_attachments).toMatchObject([{ id: kept.id, description: 'a cup' }]);
    expect(described.edited_at).not.toBeNull();
    expect(await edit(made.id, describing('a cup'))).toMatchObject({ edited_at: described.edited_at });
    expect(await edit(made.id, { media_attributes: [{ id: kept.id }] })).toMatchObject({
      media_attachments: [{ description: 'a cup' }],
    });
    expect(await edit(made.id, describing(''))).toMatchObject({ media_attachments: [{ description: null }] });
    await edit(made.id, describing('mine', other.id)); // not part of the post
    await edit(made.id, { media_ids: [], ...describing('gone') });
    await alice.put(`${PATH}/${made.id}`, describing('x'.repeat(5_001))).expect(422);
    expect(await historyOf(made.id)).toHaveLength(4);
    const descriptions = await app.sql('select description from attachments order by id');
    expect(descriptions).toEqual([{ description: '' }, { description: '' }]);
  });

  it('changes the given fields, is visible to everyone at once, and adds a revision to the history', async () => {
    const made = await post(app, 'alice', 'tea #black', { spoiler_text: 'hot', sensitive: true, language: 'en' });
    await bob.get(`${PATH}/${made.id}`).expect(200);
    const warned = { spoiler_text: 'hot', sensitive: true };
    const edited = await edit(made.id, { status: '**tea** #green', content_type: 'text/markdown', ...warned });
    expect(checkShape(PlainStatusShape, edited)).toEqual([]);
    expect(edited).toMatchObject({ id: made.id, spoiler_text: 'hot', sensitive: true, language: 'en', uri: made.uri });
    expect(edited.content).toContain('<strong>tea</strong>');
    expect(edited.edited_at).not.toBeNull();
    expect(edited.tags.map(({ name }) => name)).toEqual(['green']);
    expect(await ok(bob.get(`${PATH}/${made.id}`))).toMatchObject({
      content: edited.content,
      edited_at: edited.edited_at,
    });
    expect(await ok(alice.get(`${PATH}/${made.id}/source`))).toMatchObject({
      text: '**tea** #green',
      spoiler_text: 'hot',
      content_type: 'text/markdown',
    });
    await edit(made.id, { spoiler_text: '', sensitive: false });
    const history = await historyOf(made.id, bob);
    for (const revision of history) expect(checkShape(StatusEditShape, revision)).toEqual([]);
    expect(history).toMatchObject([
      { content: made.content, spoiler_text: 'hot', sensitive: true, created_at: made.created_at },
      { content: edited.content, spoiler_text: 'hot', sensitive: true, created_at: edited.edited_at },
      { content: edited.content, spoiler_text: '', sensitive: false },
    ]);
    await expectCountersToMatchRows(app);
  });

  it('with a text removes an omitted warning, sensitive flag, list of uploads and poll, but not the language', async () => {
    const { id: uploadId } = await upload(app, 'alice');
    const poll = { options: ['a', 'b'], expires_in: 600 };
    const warned = { spoiler_text: 'hot', sensitive: true, language: 'en' };
    const pictured = await post(app, 'alice', 'tea', { ...warned, media_ids: [uploadId] });
    const asked = await post(app, 'alice', 'tea?', { ...warned, poll });
    const none = { spoiler_text: '', sensitive: false, language: 'en' };
    expect(await edit(pictured.id, { status: 'more tea' })).toMatchObject({ ...none, media_attachments: [] });
    expect(await edit(asked.id, { status: 'more tea?' })).toMatchObject({ ...none, poll: null });
  });

  it('without a text changes only the given fields', async () => {
    const { id: uploadId } = await upload(app, 'alice');
    const { id } = await post(app, 'alice', 'tea', { spoiler_text: 'hot', sensitive: true, media_ids: [uploadId] });
    const changed = await edit(id, { spoiler_text: 'cold' });
    expect(changed).toMatchObject({ spoiler_text: 'cold', sensitive: true, media_attachments: [{ id: uploadId }] });
    expect(changed.content).toBe('<p>tea</p>');
    expect(await edit(id, { sensitive: false })).toMatchObject({ spoiler_text: 'cold', sensitive: true }); // it has a file
    expect(await edit(id, { language: 'eo' })).toMatchObject({ content: '<p>tea</p>', language: 'eo' });
  });

  it('that changes nothing sets no edited_at and adds no revision', async () => {
    const made = await post(app, 'alice', 'tea');
    expect(await edit(made.id, { status: 'tea' })).toMatchObject({ edited_at: null });
    expect(await historyOf(made.id)).toHaveLength(1);
  });

  it('that changes nothing but names an account that blocks its author is no edit', async () => {
    const { id: aliceId } = (await app.sql<{ id: string }>(`select id from accounts where nickname = 'alice'`))[0]!;
    const known = await post(app, 'alice', '@bob tea');
    await ok(bob.post(`/api/v1/accounts/${aliceId}/block`));
    const made = await post(app, 'alice', '@bob tea');
    for (const { id } of [known, made]) {
      expect(await edit(id, { status: '@bob tea' })).toMatchObject({ edited_at: null });
      expect(await historyOf(id)).toHaveLength(1);
    }
  });

  it('shows the latest versions up to four megabytes of content', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const keepLong = (letter: string, bytes: number) =>
      app.sql(
        `insert into status_edits (status_id, content_html, spoiler, sensitive, created_at) values ($1, repeat($2, $3), '', false, now())`,
        [id, letter, bytes],
      );
    for (const letter of ['a', 'b', 'c', 'd', 'e']) await keepLong(letter, 1_000_000);
    expect((await historyOf(id)).map(({ content }) => content[0])).toEqual(['b', 'c', 'd', 'e', '<']);
    await keepLong('f', 5_000_000);
    expect((await historyOf(id)).map(({ content }) => content[0])).toEqual(['<']);
  });

  it('is allowed only to the author of the post, and not for boosts', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const boost = await reblog(app, 'alice', id);
    await bob.put(`${PATH}/${id}`, { status: 'mine' }).expect(404, GONE);
    await alice.put(`${PATH}/${boost.id}`, { status: 'mine' }).expect(404, GONE);
    await alice.put(`${PATH}/nothing`, { status: 'mine' }).expect(404, GONE);
    await app.world.anonymous.put(`${PATH}/${id}`, { status: 'mine' }).expect(401);
    await (await app.world.as('alice', 'read')).put(`${PATH}/${id}`, { status: 'mine' }).expect(403);
    await edit(id, { status: 'coffee' });
    expect(await historyOf(boost.id)).toMatchObject([{ content: '<p>tea</p>' }, { content: '<p>coffee</p>' }]);
  });

  it.each([
    ['Cannot post an empty status without attachments', { status: ' ' }],
    ['The status is over the character limit', { status: 'x'.repeat(5_001) }],
    ['Poll must contain at least 2 options', { poll: { options: ['one'], expires_in: 300 } }],
  ])('is refused with 422: %s', async (error, changes) => {
    const { id } = await post(app, 'alice', 'tea');
    await alice.put(`${PATH}/${id}`, changes).expect(422, { error });
    expect(await historyOf(id)).toMatchObject([{ content: '<p>tea</p>' }]);
  });

  it('V16 of a public post updates its mentions and notifies only newly mentioned accounts', async () => {
    const { id } = await post(app, 'alice', '@bob tea');
    await app.drain();
    const told = async (client: Client) =>
      (await ok<{ type: string }[]>(client.get('/api/v1/notifications'))).map(({ type }) => type);
    await bob.post('/api/v1/notifications/clear').expect(200);
    expect(named(await edit(id, { status: '@bob @carol tea' }))).toEqual(['bob', 'carol']);
    await app.drain();
    expect([await told(bob), await told(carol)]).toEqual([[], ['mention']]);
    expect(named(await edit(id, { status: '@carol tea' }))).toEqual(['carol']);
    expect(named(await edit(id, { status: 'tea', to: ['bob'] }))).toEqual(['bob']);
    expect(named(await edit(id, { status: 'tea' }))).toEqual([]);
    await app.get(BlocksService).block(app.world.id('carol'), app.world.id('alice'), {});
    expect(named(await edit(id, { status: '@bob @carol tea' }))).toEqual(['bob']);
  });

  it.each(['direct', 'private'])('V16 of a %s post does not change who may read it', async (visibility) => {
    const { id } = await post(app, 'alice', '@bob secret', { visibility });
    const edited = await edit(id, { status: '@carol secret', to: ['carol'] });
    expect(named(edited)).toEqual(['bob']);
    await bob.get(`${PATH}/${id}`).expect(200);
    await carol.get(`${PATH}/${id}`).expect(404, GONE);
    await carol.get(`${PATH}/${id}/history`).expect(404, GONE);
    await app.drain();
    expect(await ok(carol.get('/api/v1/notifications'))).toEqual([]);
  });

  it('attaches other uploads in the given order, and shows the removed ones in the history until they are used again', async () => {
    const [one, two, three] = await Promise.all([upload(app, 'alice'), upload(app, 'alice'), upload(app, 'alice')]);
    const foreign = await upload(app, 'bob');
    const { id } = await post(app, 'alice', 'tea', { media_ids: [one.id, two.id] });
    await edit(id, { status: 'more tea', media_ids: [one.id, two.id] });
    await alice.put(`${PATH}/${id}`, { media_ids: [foreign.id] }).expect(422);
    const edited = await edit(id, { media_ids: [three.id, two.id] });
    expect(edited.media_attachments.map((media) => media.id)).toEqual([three.id, two.id]);
    const shown = async () =>
      (await historyOf(id)).map((revision) => revision.media_attachments.map((media) => media.id));
    const [first, last] = [
      [one.id, two.id],
      [three.id, two.id],
    ];
    expect(await shown()).toEqual([first, first, last]);
    await post(app, 'alice', 'elsewhere', { media_ids: [one.id] });
    expect(await shown()).toEqual([[two.id], [two.id], last]);
    expect((await edit(id, { media_ids: [] })).media_attachments).toEqual([]);
  });

  it.each<[string, (ids: readonly string[]) => object, (string | null)[][]]>([
    [
      'a description alone',
      ([one]) => ({ media_attributes: [{ id: one, description: 'new' }] }),
      [
        ['one', 'two'],
        ['new', 'two'],
      ],
    ],
    [
      'a text and a description',
      ([one, two]) => ({
        status: 'more',
        media_ids: [one, two],
        media_attributes: [{ id: two, description: '' }],
      }),
      [
        ['one', 'two'],
        ['one', null],
      ],
    ],
    [
      'the order and a description',
      ([one, two]) => ({ media_ids: [two, one], media_attributes: [{ id: one, description: 'new' }] }),
      [
        ['one', 'two'],
        ['two', 'new'],
      ],
    ],
    ['the files', () => ({ media_ids: [], status: 'bare' }), [['one', 'two'], []]],
    [
      'nothing else but its warning',
      () => ({ spoiler_text: 'hot' }),
      [
        ['one', 'two'],
        ['one', 'two'],
      ],
    ],
  ])('of %s leaves earlier versions with their own descriptions', async (_what, changes, expected) => {
    const media = [await upload(app, 'alice'), await upload(app, 'alice')];
    for (const [at, description] of ['one', 'two'].entries())
      await alice.put(`/api/v1/media/${media[at]!.id}`, { description }).expect(200);
    const ids = media.map((file) => file.id);
    const { id } = await post(app, 'alice', 'tea', { media_ids: ids });
    await edit(id, changes(ids));
    await edit(id, { status: 'last', media_ids: [] });
    for (const file of media) await alice.put(`/api/v1/media/${file.id}`, { description: 'of today' }).expect(200);
    const shown = (await historyOf(id)).map((version) => version.media_attachments.map((file) => file.description));
    expect(shown).toEqual([...expected, []]);
  });

  it('shows versions of an earlier release with the current descriptions', async () => {
    const file = await upload(app, 'alice');
    const { id } = await post(app, 'alice', 'tea', { media_ids: [file.id] });
    await edit(id, { media_attributes: [{ id: file.id, description: 'new' }] });
    await app.sql('update status_edits set attachment_descriptions = null');
    expect(await historyOf(id)).toMatchObject([{ media_attachments: [{ id: file.id, description: 'new' }] }, {}]);
  });

  it('discards the votes of a poll when its options change, but not when only its end changes', async () => {
    const poll = { options: ['a', 'b'], expires_in: 600 };
    const made = await post(app, 'alice', 'tea?', { poll });
    await bob.post(`/api/v1/polls/${made.poll!.id}/votes`, { choices: [0] }).expect(200);
    expect((await edit(made.id, { status: 'tea??', poll })).poll).toMatchObject({ votes_count: 1 });
    const later = (await edit(made.id, { poll: { ...poll, expires_in: 900 } })).poll as PollJson;
    expect(later).toMatchObject({ id: made.poll!.id, votes_count: 1 });
    expect(Date.parse(later.expires_at!)).toBeGreaterThan(Date.parse(made.poll!.expires_at!));
    const other = (await edit(made.id, { poll: { ...poll, options: ['a', 'c'] } })).poll as PollJson;
    expect(other).toMatchObject({
      id: made.poll!.id,
      votes_count: 0,
      voters_count: 0,
      own_votes: [],
      options: [{ title: 'a' }, { title: 'c' }],
    });
    await bob.post(`/api/v1/polls/${other.id}/votes`, { choices: [1] }).expect(200);
    const both = { ...poll, options: ['a', 'b', 'c'], multiple: true };
    expect((await edit(made.id, { poll: both })).poll).toMatchObject({ id: other.id, multiple: true, votes_count: 0 });
    const again = await bob.post(`/api/v1/polls/${other.id}/votes`, { choices: [0, 2] }).expect(200);
    expect(again.body).toMatchObject({ own_votes: [0, 2], voters_count: 1, votes_count: 2 });
    const [first, , , last] = await historyOf(made.id);
    expect(first!.poll).toEqual({ options: [{ title: 'a' }, { title: 'b' }] });
    expect(last!.poll).toEqual({ options: [{ title: 'a' }, { title: 'c' }] });
    const plain = await post(app, 'alice', 'tea');
    expect((await edit(plain.id, { poll })).poll).toMatchObject({ options: [{ title: 'a' }, { title: 'b' }] });
    expect((await edit(plain.id, { status: '', poll })).content).toBe('');
  });

  it.each([
    ['null', { poll: null }],
    ['an empty value', { poll: '' }],
    ['no options', { poll: { options: [] } }],
    ['nothing beside a text', { status: 'tea?' }],
  ])(
    'removes the poll when given %s, which ends the voting without notifications and adds a revision',
    async (_, taken) => {
      const poll = { options: ['a', 'b'], expires_in: 600 };
      const made = await post(app, 'alice', 'tea?', { poll });
      await bob.post(`/api/v1/polls/${made.poll!.id}/votes`, { choices: [0] }).expect(200);
      expect((await edit(made.id, taken)).poll).toBeNull();
      expect(await ok(bob.get(`${PATH}/${made.id}`))).toMatchObject({ poll: null });
      await bob.get(`/api/v1/polls/${made.poll!.id}`).expect(404, GONE);
      await carol.post(`/api/v1/polls/${made.poll!.id}/votes`, { choices: [0] }).expect(404, GONE);
      expect((await edit(made.id, taken)).edited_at).not.toBeNull(); // there is no poll left to remove
      const history = await historyOf(made.id);
      expect(history.map((revision) => revision.poll?.options.length)).toEqual([2, undefined]);
      await app.sql('update jobs set run_at = now()');
      await app.drain();
      expect(await ok(bob.get('/api/v1/notifications'))).toEqual([]);
      const asked = (await edit(made.id, { poll: { ...poll, options: ['c', 'd'] } })).poll as PollJson;
      expect(asked).toMatchObject({ votes_count: 0, voted: true, options: [{ title: 'c' }, { title: 'd' }] });
    },
  );

  it('is refused when it would leave the post empty', async () => {
    const poll = { options: ['a', 'b'], expires_in: 600 };
    const { id } = await post(app, 'alice', '', { poll });
    await alice.put(`${PATH}/${id}`, { poll: null }).expect(422);
    expect(await ok(bob.get(`${PATH}/${id}`))).toMatchObject({ poll: { votes_count: 0 } });
  });

  it.each([{ status: 'coffee' }, { language: 'eo' }])('F22 to %j formats before it locks the post', async (changes) => {
    const { id } = await post(app, 'alice', 'tea');
    const open = await openUnitsAtTexts(app, () => edit(id, changes));
    expect(open).not.toEqual([]);
    expect(open).not.toContain(true);
  });

  it('is not lost when other edits are sent at the same time', async () => {
    const { id } = await post(app, 'alice', 'tea', { spoiler_text: 'hot' });
    const changes = Array.from({ length: 8 }, (_, at) =>
      at % 2 ? { status: `tea ${at}` } : { spoiler_text: `hot ${at}` },
    );
    await Promise.all(changes.map((change) => edit(id, change)));
    const history = await historyOf(id);
    expect(history).toHaveLength(9);
    for (const [at, after] of history.entries()) {
      const before = history[at - 1];
      if (before) expect(after.content === before.content).toBe(after.spoiler_text !== ''); // a text removes an omitted warning
    }
    const [row] = await app.sql<{ version: number }>('select version from statuses where id = $1', [id]);
    expect(row!.version).toBe(9);
  });
});

describe('delete and redraft', () => {
  it('returns the source text, and leaves the uploads available for a new post', async () => {
    const media = await upload(app, 'alice');
    const poll = { options: ['a', 'b'], expires_in: 600 };
    const made = await post(app, 'alice', '**tea** @bob', {
      content_type: 'text/markdown',
      media_ids: [media.id],
      poll,
    });
    await app.sql(`update attachments set created_at = now() - interval '9 days'`);
    const deleted = await ok(alice.delete(`${PATH}/${made.id}`));
    expect(deleted).toMatchObject({
      text: '**tea** @bob',
      media_attachments: [{ id: media.id }],
      poll: { expired: false },
    });
    await app.drain();
    const anew = await post(app, 'alice', deleted.text!, { media_ids: [media.id] });
    expect(anew).toMatchObject({ media_attachments: [{ id: media.id, url: media.url }] });
  });

  it('leaves those of an edited post too, which its earlier versions show', async () => {
    const [kept, added, gone] = await Promise.all([upload(app, 'alice'), upload(app, 'alice'), upload(app, 'alice')]);
    const { id } = await post(app, 'alice', 'tea', { media_ids: [kept.id, gone.id] });
    await edit(id, { status: 'more tea', media_ids: [kept.id, added.id] });
    const { text, media_attachments: left } = await ok(alice.delete(`${PATH}/${id}`));
    await app.drain();
    const ids = left.map((media) => media.id);
    expect(ids).toEqual([kept.id, added.id]);
    const anew = await post(app, 'alice', text!, { media_ids: ids });
    expect(anew.media_attachments.map((media) => media.id)).toEqual(ids);
    expect(await app.sql('select id::text from attachments order by id')).toEqual(
      [kept.id, added.id].toSorted((a, b) => Number(a) - Number(b)).map((at) => ({ id: at })),
    );
  });
});
