import type { PlainStatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { answerUnknown, ok, post } from '../../support/fixtures/statuses.js';

const app = useApp({ people: ['reader', 'alice'] });

beforeEach(async () => {
  await app.world.follow('reader', 'alice');
  await app.drain();
});

const belowTheFloor = async () => {
  await app.sql('delete from home_feed');
  await app.sql(`update users set feed_floor = '~'`);
};

/** Each timeline, with the visibility of the post that it shows; some prepare the server first. */
const TIMELINES: readonly [name: string, path: string, visibility?: string, prepare?: () => Promise<void>][] = [
  ['home', 'home'],
  ['home below the floor', 'home', 'public', belowTheFloor],
  ['public', 'public'],
  ['local', 'public?local=true'],
  ['tag', 'tag/tea'],
  ['list', 'list/{list}'],
  ['direct', 'direct', 'direct'],
];

describe('posts of a muted thread', () => {
  const list = async () => {
    const reader = await app.world.as('reader');
    const { id } = await ok<{ id: string }>(reader.post('/api/v1/lists', { title: 'people' }));
    await ok(reader.post(`/api/v1/lists/${id}/accounts`, { account_ids: [app.world.id('alice')] }));
    return id;
  };

  it.each(TIMELINES)(
    'are shown on the timeline %s only with with_muted',
    async (_, path, visibility = 'public', prepare) => {
      const reader = await app.world.as('reader');
      const { id } = await post(app, 'alice', '@reader #tea', { visibility });
      await app.drain();
      await prepare?.();
      const url = `/api/v1/timelines/${path.replace('{list}', path.includes('{list}') ? await list() : '')}`;
      const shown = async (values = {}) =>
        (await ok<PlainStatusJson[]>(reader.get(url, values))).map((each) => each.id);
      const withMuted = { with_muted: true };

      expect([await shown(), await shown(withMuted)]).toEqual([[id], [id]]);
      await ok(reader.post(`/api/v1/statuses/${id}/mute`));
      const muted = [[], [id]];
      expect([await shown(), await shown(withMuted)]).toEqual(muted);
      expect([await shown(), await shown(withMuted)]).toEqual(muted);
      app.invalidateReads();
      expect([await shown(), await shown(withMuted)]).toEqual(muted);
      expect(await ok<PlainStatusJson[]>(reader.get(url, withMuted))).toMatchObject([{ muted: true }]);
      await ok(reader.post(`/api/v1/statuses/${id}/unmute`));
      expect([await shown(), await shown(withMuted)]).toEqual([[id], [id]]);
    },
  );
});

describe('reply_visibility', () => {
  /** A reply of an author to a post of another, with a text that may mention others; how home and public show it. */
  it.each([
    ['alice', 'alice', 'goes on', { following: true, self: false }],
    ['bob', 'bob', 'goes on', { following: false, self: false }],
    ['bob', 'bob', '@alice goes on', { following: true, self: false }],
    ['bob', 'alice', '@alice yes', { following: true, self: false }],
    ['bob', 'alice', 'yes, without a name', { following: true, self: false }],
    ['bob', 'reader', 'yes, without a name', { following: true, self: true }],
    ['bob', 'reader', '@reader yes', { following: true, self: true }],
    ['alice', 'bob', '@bob yes', { following: false, self: false }],
    ['alice', 'bob', '@bob @reader yes', { following: true, self: true }],
    ['reader', 'bob', '@bob yes', { following: true, self: true }],
    ['reader', 'reader', 'goes on', { following: true, self: true }],
  ])('shows or hides the answer of %s to %s: %s', async (author, answered, text, shown) => {
    await app.world.persons('bob');
    const parent = await post(app, answered, 'first');
    const reply = await post(app, author, text, { in_reply_to_id: parent.id });
    await app.drain();
    const reader = await app.world.as('reader');
    const places = ['public', ...(author === 'bob' ? [] : ['home'])];
    for (const place of places)
      for (const [choice, expected] of Object.entries(shown)) {
        const values = { reply_visibility: choice };
        const ids = (await ok<PlainStatusJson[]>(reader.get(`/api/v1/timelines/${place}`, values))).map(({ id }) => id);
        expect([place, choice, ids.includes(reply.id)]).toEqual([place, choice, expected]);
      }
  });
});

it('an answer to a post that is not known here is a reply to others', async () => {
  const zoe = await app.world.remote('zoe', 'far.test');
  await app.world.follow('reader', 'zoe@far.test');
  await app.sql('update follows set state = 1');
  const answer = await answerUnknown(app, zoe.id);
  await app.drain();
  const reader = await app.world.as('reader');
  const shown = async (path: string, values = {}) =>
    (await ok<PlainStatusJson[]>(reader.get(`/api/v1/timelines/${path}`, values))).map(({ id }) => id);
  const expectHidden = async (path: string) => {
    expect(await shown(path)).toEqual([answer]);
    for (const reply_visibility of ['following', 'self']) expect(await shown(path, { reply_visibility })).toEqual([]);
  };
  await expectHidden('home');
  await expectHidden('public');
  await belowTheFloor();
  await expectHidden('home');
  await app.sql('insert into mentions (status_id, account_id) values ($1, $2)', [answer, app.world.id('reader')]);
  expect(await shown('public', { reply_visibility: 'self' })).toEqual([answer]);
});
