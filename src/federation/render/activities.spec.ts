import { Visibility } from '../../statuses/index.js';
import { PUBLIC } from '../wire/uris.js';
import { Activities, type Activity, reblogAddressing } from './activities.js';

const BASE = 'https://svc.test';
const ALICE = `${BASE}/users/alice`;
const FOLLOWERS = `${ALICE}/followers`;
const ZOE = 'https://far.test/users/zoe';
const NOTE = 'https://far.test/notes/1';
const ID = `${BASE}/activities/1`;

const activities = new Activities(BASE);
const own = {
  '@context': ['x'],
  id: `${BASE}/objects/1`,
  type: 'Note',
  actor: ALICE,
  published: '2026-01-01T00:00:00.000Z',
  context: `${BASE}/contexts/1`,
  to: [PUBLIC],
  cc: [FOLLOWERS],
};
/** The activity as other servers receive it. */
const sent = (activity: Activity): Record<string, unknown> =>
  JSON.parse(JSON.stringify(activity)) as Record<string, unknown>;

describe('the activities of this server', () => {
  it('wrap a post in a Create with the same addressees', () => {
    const { '@context': context, object, ...create } = sent(activities.create(own));
    expect(context).toContain(`${BASE}/schemas/litepub-0.1.jsonld`);
    expect(create).toEqual({
      id: `${own.id}/activity`,
      type: 'Create',
      actor: ALICE,
      published: own.published,
      context: own.context,
      to: own.to,
      cc: own.cc,
    });
    expect(object).toEqual({ ...own, '@context': undefined });
  });

  it('mark the Create of a direct message', () => {
    expect(activities.create({ ...own, to: [ZOE], cc: [] })).toHaveProperty('directMessage', true);
    expect(activities.create({ ...own, to: [FOLLOWERS], cc: [] })).not.toHaveProperty('directMessage');
  });

  it.each([
    ['Update', activities.update(own, ALICE, own, '2'), { id: `${own.id}#updates/2`, to: [PUBLIC], cc: [FOLLOWERS] }],
    [
      'Delete',
      activities.deleteStatus(own.id, ALICE, 'Note'),
      { id: `${own.id}#delete`, object: { id: own.id, type: 'Tombstone', formerType: 'Note' } },
    ],
    ['Delete', activities.deleteActor(ALICE), { id: `${ALICE}#delete`, object: ALICE, to: [PUBLIC] }],
    ['Like', activities.like(ID, ALICE, NOTE, ZOE), { id: ID, object: NOTE, to: [ZOE], cc: [] }],
    ['Follow', activities.follow(ID, ALICE, ZOE), { id: ID, object: ZOE, to: [ZOE] }],
    ['Block', activities.block(ID, ALICE, ZOE), { object: ZOE, to: [ZOE] }],
    ['Move', activities.move(ALICE, ZOE, ID), { object: ALICE, target: ZOE, to: [FOLLOWERS] }],
    [
      'Add',
      activities.feature(ID, 'Add', ALICE, own.id),
      { object: own.id, target: `${ALICE}/collections/featured`, to: [PUBLIC], cc: [FOLLOWERS] },
    ],
    [
      'Flag',
      activities.flag(ID, `${BASE}/internal/fetch`, ZOE, [NOTE], 'spam'),
      { actor: `${BASE}/internal/fetch`, object: [ZOE, NOTE], content: 'spam', to: [ZOE] },
    ],
  ])('write %s', (type, activity, expected) => {
    expect(sent(activity)).toMatchObject({ type, actor: ALICE, ...expected });
  });

  it('embed the whole Follow in Accept and Reject', () => {
    const follow = { id: `${ZOE}/follows/1`, actor: ZOE, object: ALICE };
    for (const type of ['Accept', 'Reject'] as const) {
      const answer = sent(activities.answer(ID, type, follow));
      expect(answer).toMatchObject({ id: ID, type, actor: ALICE, to: [ZOE], object: { ...follow, type: 'Follow' } });
    }
    expect(sent(activities.answer(ID, 'Accept', { ...follow, id: null }))['object']).not.toHaveProperty('id');
  });

  it('embed the undone activity, with the same addressees and one context', () => {
    const like = activities.like(ID, ALICE, NOTE, ZOE);
    const undo = sent(activities.undo(like));
    expect(undo).toMatchObject({ id: `${ID}#undo`, type: 'Undo', actor: ALICE, to: [ZOE], cc: [] });
    expect(undo['object']).toEqual({ id: ID, type: 'Like', actor: ALICE, object: NOTE, to: [ZOE], cc: [] });
  });

  it('send the picture of a custom emoji with a reaction', () => {
    const url = `${BASE}/emoji/cat.png`;
    const emoji = { shortcode: 'cat', url, updatedAt: '1970-01-01T00:00:00Z' };
    const reaction = sent(activities.emojiReact(ID, ALICE, NOTE, ZOE, { content: ':cat:', emoji }));
    expect(reaction).toMatchObject({ type: 'EmojiReact', content: ':cat:', object: NOTE, to: [ZOE] });
    expect(reaction['tag']).toMatchObject([{ id: url, type: 'Emoji', name: ':cat:', icon: { url } }]);
    expect(activities.emojiReact(ID, ALICE, NOTE, ZOE, { content: '🐈' })).not.toHaveProperty('tag');
  });

  it('write a vote as a note without content, for the author of the poll only', () => {
    const vote = sent(activities.vote(`${ALICE}#votes/1/0`, ALICE, NOTE, ZOE, 'yes'));
    expect(vote).toMatchObject({ type: 'Create', id: `${ALICE}#votes/1/0/activity`, to: [ZOE], cc: [] });
    expect(vote['object']).toMatchObject({
      type: 'Note',
      name: 'yes',
      inReplyTo: NOTE,
      attributedTo: ALICE,
      to: [ZOE],
    });
    expect(vote['object']).not.toHaveProperty('content');
  });

  it('address a boost by its visibility, and to the author', () => {
    expect(reblogAddressing(Visibility.public, ALICE, ZOE)).toEqual({ to: [PUBLIC, ZOE], cc: [FOLLOWERS] });
    expect(reblogAddressing(Visibility.unlisted, ALICE, ZOE)).toEqual({ to: [FOLLOWERS, ZOE], cc: [PUBLIC] });
    expect(reblogAddressing(Visibility.private, ALICE, ALICE)).toEqual({ to: [FOLLOWERS], cc: [] });
    for (const visibility of [Visibility.local, Visibility.direct, Visibility.list])
      expect(reblogAddressing(visibility, ALICE, ALICE)).toBeUndefined();
  });

  it('embed the post only in a boost that asks for it', () => {
    const addressees = { to: [FOLLOWERS], cc: [], published: own.published };
    expect(sent(activities.announce(ID, ALICE, NOTE, addressees))).toMatchObject({ type: 'Announce', object: NOTE });
    const embedded = sent(activities.announce(ID, ALICE, own, addressees))['object'];
    expect(embedded).toMatchObject({ id: own.id });
    expect(embedded).not.toHaveProperty('@context');
  });
});
