import { TagsService } from '../../src/timelines/index.js';
import { useApp } from '../support/servers/app.js';
import { addEmoji } from '../support/fixtures/emoji.js';
import { picture } from '../support/fixtures/media-files.js';
import { calledIn } from './listed.js';
import { idsOf, MastoApp, type Session } from './session.js';

/** Bookmarks, pins, thread mutes and searches of apps built on masto. */
describe('an app built on the library masto, with bookmarks, pins and searches,', () => {
  const app = useApp({ once: ['alice', 'bob'], listening: true });
  const phone = new MastoApp(app);
  let alice: Session;
  let bob: Session;

  beforeAll(async () => {
    [alice, bob] = await Promise.all([phone.logIn('alice'), phone.logIn('bob')]);
  });

  const post = (session: Session, status: string, visibility: 'public' | 'direct' = 'public') =>
    session.rest.v1.statuses.create({ status, visibility });

  it('bookmarks a post', async () => {
    const { id } = await post(alice, 'worth keeping');
    const status = bob.rest.v1.statuses.$select(id);
    expect(await status.bookmark()).toMatchObject({ id, bookmarked: true });
    expect(idsOf(await bob.rest.v1.bookmarks.list())).toEqual([id]);
    expect(await status.unbookmark()).toMatchObject({ bookmarked: false });
    expect(await bob.rest.v1.bookmarks.list()).toEqual([]);
  });

  it('pins a post, and mutes a thread', async () => {
    const { id } = await post(alice, 'about me');
    const status = alice.rest.v1.statuses.$select(id);
    expect(await status.pin()).toMatchObject({ pinned: true });
    const pinned = bob.rest.v1.accounts.$select(app.world.id('alice')).statuses;
    expect(idsOf(await pinned.list({ pinned: true }))).toEqual([id]);
    expect(await status.unpin()).toMatchObject({ pinned: false });
    expect(await status.mute()).toMatchObject({ muted: true });
    expect(await status.unmute()).toMatchObject({ muted: false });
  });

  it('offers custom emoji', async () => {
    await addEmoji(app, 'tea');
    const list = await bob.rest.v1.customEmojis.list();
    expect(list).toMatchObject([{ shortcode: 'tea', category: 'Tea time', visibleInPicker: true }]);
    expect(await post(alice, 'a cup of :tea:')).toMatchObject({ emojis: [{ shortcode: 'tea' }] });
  });

  it('reads direct posts', async () => {
    const { id } = await post(alice, '@bob a secret', 'direct');
    const { direct } = bob.rest.v1.timelines;
    expect(idsOf(await direct.list())).toEqual([id]);
  });

  it('searches for accounts, posts and hashtags', async () => {
    const { id } = await post(alice, 'Herring on the #quay');
    expect(idsOf(await bob.rest.v1.accounts.search.list({ q: 'ali' }))).toEqual([app.world.id('alice')]);
    const newer = await bob.rest.v2.search.list({ q: 'herring' });
    expect(idsOf(newer.statuses)).toEqual([id]);
    expect((await bob.rest.v2.search.list({ q: 'quay', type: 'hashtags' })).hashtags).toMatchObject([{ name: 'quay' }]);
    const older = await bob.rest.v1.search.list({ q: 'alice', type: 'accounts' });
    expect(idsOf(older.accounts)).toEqual([app.world.id('alice')]);
  });

  it('reads trends, and the quotes of a post', async () => {
    await app.sql('update accounts set discoverable = true');
    const { id } = await post(alice, 'everybody talks about the #regatta');
    await bob.rest.v1.statuses.$select(id).favourite();
    await app.get(TagsService).count();
    const { trends, statuses } = bob.rest.v1;
    expect((await trends.tags.list()).map(({ name }) => name)).toContain('regatta');
    expect(idsOf(await trends.statuses.list({ limit: 1 }))).toEqual([id]);
    expect(await trends.links.list()).toEqual([]);
    expect(await statuses.$select(id).quotes.list()).toEqual([]);
  });

  it('uploads in the older way, and checks whether the file is ready', async () => {
    const file = new Blob([new Uint8Array(await picture('png'))], { type: 'image/png' });
    const media = await alice.rest.v1.media.create({ file, description: 'blue' });
    expect(await alice.rest.v1.media.$select(media.id).fetch()).toMatchObject({ id: media.id, description: 'blue' });
  });

  it('calls all the methods that test/data/masto-methods.tsv lists for it', () => {
    expect(phone.recorder.called).toEqual(expect.arrayContaining(calledIn('masto-bookmarks-pins.spec.ts')));
  });
});
