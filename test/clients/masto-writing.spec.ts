import { useApp } from '../support/servers/app.js';
import { calledIn } from './listed.js';
import { idsOf, MastoApp, type Session, statusCode } from './session.js';

/** Writes of apps built on masto besides plain posts: edits, polls, scheduled posts, conversations. */
describe('an app built on the library masto, with posts,', () => {
  const app = useApp({ once: ['alice', 'bob'], listening: true });
  const phone = new MastoApp(app);
  let alice: Session;
  let bob: Session;

  beforeAll(async () => {
    [alice, bob] = await Promise.all([phone.logIn('alice'), phone.logIn('bob')]);
  });

  it('edits a post and reads its earlier versions', async () => {
    const { id } = await alice.rest.v1.statuses.create({ status: 'tea', visibility: 'public' });
    const chosen = alice.rest.v1.statuses.$select(id);
    expect(await chosen.update({ status: 'coffee' })).toMatchObject({
      id,
      content: '<p>coffee</p>',
      editedAt: expect.any(String) as unknown,
    });
    const revisions = await bob.rest.v1.statuses.$select(id).history.list();
    expect(revisions.map(({ content }) => content)).toEqual(['<p>tea</p>', '<p>coffee</p>']);
  });

  it('creates a poll and votes', async () => {
    const poll = { options: ['green', 'black'], expiresIn: 3_600, multiple: false };
    const { poll: asked } = await alice.rest.v1.statuses.create({ status: 'tea?', poll });
    const chosen = bob.rest.v1.polls.$select(asked!.id);
    expect(await chosen.votes.create({ choices: [1] })).toMatchObject({ voted: true, ownVotes: [1], votesCount: 1 });
    expect(await statusCode(chosen.votes.create({ choices: [0] }))).toBe(422);
    expect(await alice.rest.v1.polls.$select(asked!.id).fetch()).toMatchObject({
      options: [
        { title: 'green', votesCount: 0 },
        { title: 'black', votesCount: 1 },
      ],
    });
  });

  it('schedules a post', async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const made = await alice.rest.v1.statuses.create({ status: 'later', scheduledAt: at(1) });
    const scheduled = alice.rest.v1.scheduledStatuses;
    expect(idsOf(await scheduled.list())).toEqual([made.id]);
    const moved = at(2);
    expect(await scheduled.$select(made.id).update({ scheduledAt: moved })).toMatchObject({ scheduledAt: moved });
    expect(await scheduled.$select(made.id).fetch()).toMatchObject({ params: { text: 'later' } });
    await scheduled.$select(made.id).remove();
    expect(await scheduled.list()).toEqual([]);
  });

  it('writes direct messages', async () => {
    const { id } = await alice.rest.v1.statuses.create({ status: 'psst @bob', visibility: 'direct' });
    const { conversations } = bob.rest.v1;
    const [conversation] = await conversations.list();
    expect(conversation).toMatchObject({ unread: true, lastStatus: { id }, accounts: [{ username: 'alice' }] });
    expect(await conversations.$select(conversation!.id).read()).toMatchObject({ unread: false });
    await conversations.$select(conversation!.id).remove();
    expect(await conversations.list()).toEqual([]);
  });

  it('calls all the methods that test/data/masto-methods.tsv lists for it', () => {
    expect(phone.recorder.called).toEqual(expect.arrayContaining(calledIn('masto-writing.spec.ts')));
  });
});
