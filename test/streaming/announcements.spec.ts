import { AnnouncementsService } from '../../src/instance/index.js';
import { Worker } from '../../src/platform/index.js';
import { useApp } from '../support/servers/app.js';
import { addEmoji } from '../support/fixtures/emoji.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';

const app = useApp({ people: ['alice', 'bob'], listening: true });
let alice: TestSocket;
let bob: TestSocket;

beforeEach(async () => {
  alice = await connectAs(app, 'alice', { stream: 'user' });
  bob = await connectAs(app, 'bob', { stream: 'user' });
});
afterEach(() => Promise.all([alice.close(), bob.close()]));

const service = () => app.get(AnnouncementsService);

/** The frames since the last call, which are the same for both sockets. */
async function arrived() {
  await app.drain();
  await sendMarker(app, ['alice', 'bob']);
  const frames = await alice.until(isMarker);
  expect(await bob.until(isMarker)).toEqual(frames);
  return frames;
}

describe('announcements', () => {
  it('sends an announcement to every user stream when it begins and when it changes', async () => {
    const { id } = await service().create({ content: 'We move' });
    const [frame, ...others] = await arrived();
    expect(others).toEqual([]);
    expect(frame).toMatchObject({ event: 'announcement', stream: ['user'] });
    const shown = JSON.parse(frame!.payload!) as Record<string, unknown>;
    expect(shown).toMatchObject({ id, content: expect.stringContaining('We move'), reactions: [] });
    expect(shown).not.toHaveProperty('read');
    await service().update(id, { content: 'We stay' });
    expect((await arrived()).map(({ payload }) => payload)).toEqual([expect.stringContaining('We stay')]);
  });

  it('sends a scheduled announcement when it begins, and not at a begin that was postponed', async () => {
    const startsAt = new Date(Date.now() + 7_200_000);
    const { id } = await service().create({ content: 'Tomorrow', startsAt });
    await app.get(Worker).enqueueRecurring(); // a start hastens what a clock has put far away
    expect(await arrived()).toEqual([]);
    await service().update(id, { startsAt: new Date(Date.now() + 10_800_000) });
    await app.sql(`update jobs set run_at = now() where payload ->> 'startsAt' = $1`, [startsAt.toISOString()]);
    await app.sql(`update announcements set starts_at = now() - interval '1 second'`);
    expect(await arrived()).toEqual([]);
    await service().update(id, { startsAt: new Date(Date.now() - 1_000) });
    expect(await arrived()).toMatchObject([{ event: 'announcement' }]);
  });

  it('sends the end of an announcement when staff moves it, and before a begin that staff moves', async () => {
    const { id } = await service().create({ content: 'We move' });
    const gone = { event: 'announcement.delete', stream: ['user'], payload: id };
    await arrived();
    await service().update(id, { endsAt: new Date(Date.now() - 1_000) });
    expect(await arrived()).toEqual([gone]);
    await service().update(id, { endsAt: null });
    expect(await arrived()).toMatchObject([{ event: 'announcement' }]);
    await service().update(id, { startsAt: new Date(Date.now() + 3_600_000) });
    expect(await arrived()).toEqual([gone]);
  });

  it('sends the planned end of an announcement, and not an end that was postponed', async () => {
    const [postponed, ended, later] = [3_600_000, -1_000, 7_200_000].map((ms) => new Date(Date.now() + ms));
    const { id } = await service().create({ content: 'Today', endsAt: postponed! });
    expect(await arrived()).toMatchObject([{ event: 'announcement' }]);
    await service().update(id, { endsAt: later! });
    await service().update(id, { content: 'Today!' }); // plans no second end
    expect(await arrived()).toMatchObject([{ event: 'announcement' }, { event: 'announcement' }]);
    await app.sql('update announcements set ends_at = $1', [ended]);
    await app.sql(`update jobs set run_at = now() where payload ->> 'endsAt' = $1`, [postponed!.toISOString()]);
    expect(await arrived()).toEqual([]);
    await app.sql(
      `update jobs set run_at = now(), payload = payload || jsonb_build_object('endsAt', $2::text) where payload ->> 'endsAt' = $1`,
      [later!.toISOString(), ended!.toISOString()],
    );
    expect(await arrived()).toEqual([{ event: 'announcement.delete', stream: ['user'], payload: id }]);
  });

  it('sends the counts of reactions, and the deletion of an announcement', async () => {
    const { id } = await service().create({ content: 'Party' });
    await arrived();
    await service().react(id, '🎉', app.world.id('alice'));
    await service().react(id, '🎉', app.world.id('bob'));
    await service().react(id, '🎉', app.world.id('bob')); // changes nothing
    await service().unreact(id, '🎉', app.world.id('bob'));
    const reactions = (await arrived()).map(({ payload, ...rest }) => ({
      ...rest,
      ...(JSON.parse(payload!) as object),
    }));
    const reaction = { event: 'announcement.reaction', stream: ['user'], name: '🎉', announcement_id: id };
    expect(reactions).toHaveLength(3);
    expect(reactions.at(-1)).toEqual({ ...reaction, count: 1 });
    await addEmoji(app, 'tea');
    await service().react(id, ':tea:', app.world.id('alice'));
    const [custom] = await arrived();
    const url = new URL('/emoji/Tea%20time/tea.png', app.env.baseUrl).href;
    expect(JSON.parse(custom!.payload!)).toEqual({ name: 'tea', count: 1, url, static_url: url, announcement_id: id });
    await service().delete(id);
    expect(await arrived()).toEqual([{ event: 'announcement.delete', stream: ['user'], payload: id }]);
  });

  it('sends no announcements to open streams', async () => {
    const visitor = await connect(app, { stream: 'public' });
    await service().create({ content: 'For us' });
    await arrived();
    expect(await visitor.until(isMarker)).toEqual([]);
    await visitor.close();
  });
});
