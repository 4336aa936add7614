import { SuggestionsService } from '../../src/accounts/index.js';
import { AnnouncementsService, RulesService } from '../../src/instance/index.js';
import { useApp } from '../support/servers/app.js';
import { calledIn } from './listed.js';
import { idsOf, MastoApp, type Session, statusCode } from './session.js';

/** Relationships, lists, filters, tags, markers and instance in apps built on masto. */
describe('an app built on the library masto, with accounts,', () => {
  const app = useApp({ once: ['alice', 'bob', 'carol'], listening: true });
  const phone = new MastoApp(app);
  let alice: Session;
  let bob: Session;
  const id = (name: string) => app.world.id(name);
  const them = (session: Session, name: string) => session.rest.v1.accounts.$select(id(name));

  beforeAll(async () => {
    await app.world.person('locked', { locked: true });
    [alice, bob] = await Promise.all([phone.logIn('alice'), phone.logIn('bob')]);
  });

  it('asks to follow, and is accepted or rejected', async () => {
    const locked = await phone.logIn('locked');
    expect(await them(alice, 'locked').follow()).toMatchObject({ requested: true, following: false });
    await them(bob, 'locked').follow();
    const requests = locked.rest.v1.followRequests;
    expect(idsOf(await requests.list())).toEqual([id('bob'), id('alice')]);
    expect(await requests.$select(id('alice')).authorize()).toMatchObject({ id: id('alice'), followedBy: true });
    expect(await requests.$select(id('bob')).reject()).toMatchObject({ id: id('bob'), followedBy: false });
    expect(idsOf(await requests.list())).toEqual([]);
    expect(await them(alice, 'locked').follow({ reblogs: false })).toMatchObject({ following: true });
    await them(locked, 'alice').removeFromFollowers();
    const [relationship] = await alice.rest.v1.accounts.relationships.fetch({ id: [id('locked')] });
    expect(relationship).toMatchObject({ following: false, requested: false });
  });

  it('blocks, mutes and hides domains', async () => {
    expect(await them(alice, 'bob').mute({ notifications: false, duration: 3_600 })).toMatchObject({
      muting: true,
      mutingNotifications: false,
    });
    const [muted] = await alice.rest.v1.mutes.list();
    expect(muted).toMatchObject({ id: id('bob'), muteExpiresAt: expect.any(String) as unknown });
    expect(await them(alice, 'bob').unmute()).toMatchObject({ muting: false });
    expect(await alice.rest.v1.mutes.list()).toEqual([]);
    expect(await them(alice, 'bob').block()).toMatchObject({ blocking: true });
    expect(idsOf(await alice.rest.v1.blocks.list())).toEqual([id('bob')]);
    expect(await them(alice, 'bob').unblock()).toMatchObject({ blocking: false });
    const domains = alice.rest.v1.domainBlocks;
    await domains.create({ domain: 'spam.example' });
    expect(await domains.list()).toEqual(['spam.example']);
    await domains.remove({ domain: 'spam.example' });
    expect(await domains.list()).toEqual([]);
  });

  it('endorses accounts, writes notes and finds familiar followers', async () => {
    await them(alice, 'bob').follow();
    await them(bob, 'carol').follow();
    expect(await them(alice, 'bob').pin()).toMatchObject({ endorsed: true });
    expect(idsOf(await alice.rest.v1.endorsements.list())).toEqual([id('bob')]);
    expect(idsOf(await them(bob, 'alice').endorsements.list())).toEqual([id('bob')]);
    expect(await them(alice, 'bob').unpin()).toMatchObject({ endorsed: false });
    expect(await them(alice, 'bob').endorse()).toMatchObject({ endorsed: true });
    expect(await them(alice, 'bob').unendorse()).toMatchObject({ endorsed: false });
    expect(await them(alice, 'bob').note.create({ comment: 'met at the harbour' })).toMatchObject({
      note: 'met at the harbour',
    });
    // The types of the library lack the name of the parameter.
    const familiar = await alice.rest.v1.accounts.familiarFollowers.fetch({ id: [id('carol')] } as never);
    expect(familiar.map((entry) => [entry.id, idsOf(entry.accounts)])).toEqual([[id('carol'), [id('bob')]]]);
    expect(await them(alice, 'bob').identityProofs.list()).toEqual([]);
  });

  it('finds accounts, in the directory and among suggestions', async () => {
    await alice.rest.v1.accounts.updateCredentials({ discoverable: true });
    expect(idsOf(await phone.restOf().v1.directory.list({ local: true, order: 'new' }))).toEqual([id('alice')]);
    expect(await alice.rest.v1.suggestions.list()).toEqual([]);
    await app.get(SuggestionsService).suggest(id('carol'));
    const suggested = await alice.rest.v2.suggestions.list();
    expect(suggested).toMatchObject([{ source: 'staff', account: { id: id('carol') } }]);
    // The types of the library want a body that is no object.
    await alice.rest.v1.suggestions.$select(id('carol')).remove(undefined as never);
    expect(await alice.rest.v2.suggestions.list()).toEqual([]);
  });

  it('creates, fills and deletes lists', async () => {
    const { lists, timelines } = alice.rest.v1;
    const list = await lists.create({ title: 'Friends', exclusive: false });
    expect(await lists.list()).toMatchObject([{ id: list.id, title: 'Friends' }]);
    const chosen = lists.$select(list.id);
    expect(await chosen.update({ title: 'Good friends' })).toMatchObject({ title: 'Good friends' });
    await chosen.accounts.create({ accountIds: [id('bob')] });
    expect(idsOf(await chosen.accounts.list())).toEqual([id('bob')]);
    expect(await them(alice, 'bob').lists.list()).toMatchObject([{ id: list.id }]);
    const post = await bob.rest.v1.statuses.create({ status: 'for the list', visibility: 'public' });
    expect(idsOf(await timelines.list.$select(list.id).list())).toEqual([post.id]);
    await chosen.accounts.remove({ accountIds: [id('bob')] });
    expect(await chosen.accounts.list()).toEqual([]);
    expect(await chosen.fetch()).toMatchObject({ id: list.id });
    await chosen.remove();
    expect(await statusCode(chosen.fetch())).toBe(404);
  });

  it('filters words, in the older way', async () => {
    const { filters } = alice.rest.v1;
    const filter = await filters.create({ phrase: 'spoiler', context: ['home'], wholeWord: true });
    expect(await filters.list()).toMatchObject([{ id: filter.id, phrase: 'spoiler' }]);
    const changed = await filters.$select(filter.id).update({ phrase: 'spoilers', context: ['public'] });
    expect(changed).toMatchObject({ phrase: 'spoilers', context: ['public'] });
    expect(await filters.$select(filter.id).fetch()).toMatchObject({ id: filter.id });
    await filters.$select(filter.id).remove();
    expect(await filters.list()).toEqual([]);
  });

  it('filters words and posts, in the newer way', async () => {
    const { filters } = alice.rest.v2;
    const keywordsAttributes = [{ keyword: 'rain', wholeWord: true }];
    const { id: filterId } = await filters.create({ title: 'Weather', context: ['public'], keywordsAttributes });
    const filter = filters.$select(filterId);
    expect(await filters.list()).toMatchObject([{ id: filterId, keywords: [{ keyword: 'rain' }] }]);
    expect(await filter.update({ filterAction: 'warn', title: 'The weather' })).toMatchObject({ title: 'The weather' });
    const keyword = await filter.keywords.create({ keyword: 'snow' });
    expect((await filter.keywords.list()).map((entry) => entry.keyword)).toEqual(['rain', 'snow']);
    const one = filters.keywords.$select(keyword.id);
    expect(await one.update({ keyword: 'hail' })).toMatchObject({ keyword: 'hail' });
    expect(await one.fetch()).toMatchObject({ keyword: 'hail' });
    await one.remove();
    const post = await bob.rest.v1.statuses.create({ status: 'Rain again', visibility: 'public' });
    const seen = await alice.rest.v1.statuses.$select(post.id).fetch();
    expect(seen.filtered).toMatchObject([{ filter: { id: filterId }, keywordMatches: ['rain'] }]);
    const entry = await filter.statuses.create({ statusId: post.id });
    expect(idsOf(await filter.statuses.list())).toEqual([entry.id]);
    expect(await filters.statuses.$select(entry.id).fetch()).toMatchObject({ statusId: post.id });
    await filters.statuses.$select(entry.id).remove();
    expect(await filter.statuses.list()).toEqual([]);
    expect(await filter.fetch()).toMatchObject({ id: filterId });
    await filter.remove();
    expect(await filters.list()).toEqual([]);
  });

  it('follows hashtags', async () => {
    const tag = alice.rest.v1.tags.$select('harbour');
    await bob.rest.v1.statuses.create({ status: 'The #harbour at night', visibility: 'public' });
    expect(await tag.follow()).toMatchObject({ name: 'harbour', following: true });
    expect((await alice.rest.v1.followedTags.list()).map(({ name }) => name)).toEqual(['harbour']);
    const post = await bob.rest.v1.statuses.create({ status: 'At the #harbour', visibility: 'public' });
    expect(idsOf(await alice.rest.v1.timelines.tag.$select('harbour').list())[0]).toBe(post.id);
    expect(await tag.fetch()).toMatchObject({ name: 'harbour', following: true });
    expect(await tag.unfollow()).toMatchObject({ following: false });
  });

  it('stores its read positions', async () => {
    await them(bob, 'alice').follow();
    await app.drain();
    const { notifications, markers } = alice.rest.v1;
    const [newest] = await notifications.list({ types: ['follow'] });
    const set = await markers.create({ notifications: { lastReadId: newest!.id } });
    expect(set).toMatchObject({ notifications: { lastReadId: newest!.id } });
    expect(await markers.fetch({ timeline: ['notifications'] })).toEqual(set);
  });

  it('reads the instance, and its preferences', async () => {
    expect(await alice.rest.v1.preferences.fetch()).toMatchObject({ 'posting:default:visibility': 'public' });
    expect(await phone.restOf().v1.instance.peers.list()).toEqual([]);
    expect(await phone.restOf().v1.instance.activity.list()).toHaveLength(12);
    await app.get(RulesService).create({ text: 'Be kind' });
    expect(await phone.restOf().v2.instance.fetch()).toMatchObject({ rules: [{ text: 'Be kind' }] });
  });

  it('reads announcements, reacts to them and dismisses them', async () => {
    const made = await app.get(AnnouncementsService).create({ content: 'New engines tomorrow' });
    const { announcements } = alice.rest.v1;
    expect(await announcements.list()).toMatchObject([{ id: made.id, read: false }]);
    const chosen = announcements.$select(made.id);
    await chosen.reactions.$select('🚢').update();
    expect(await announcements.list()).toMatchObject([{ reactions: [{ name: '🚢', count: 1, me: true }] }]);
    await chosen.reactions.$select('🚢').remove();
    expect(await announcements.list()).toMatchObject([{ read: false, reactions: [] }]);
    await chosen.dismiss();
    expect(await announcements.list()).toMatchObject([{ id: made.id, read: true }]);
  });

  it('calls all the methods that test/data/masto-methods.tsv lists for it', () => {
    expect(phone.recorder.called).toEqual(expect.arrayContaining(calledIn('masto-people.spec.ts')));
  });
});
