import type { mastodon } from 'masto';
import { SettingsService } from '../../src/config/index.js';
import { useApp } from '../support/servers/app.js';
import { picture } from '../support/fixtures/media-files.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { calledIn } from './listed.js';
import { idsOf, MastoApp, OUT_OF_BAND, SCOPES, type Session, statusCode } from './session.js';

describe('an app built on the library masto', () => {
  const app = useApp({ once: ['alice', 'bob'], listening: true });
  const phone = new MastoApp(app);
  let alice: Session;
  let bob: Session;

  beforeAll(async () => {
    [alice, bob] = await Promise.all([phone.logIn('alice'), phone.logIn('bob')]);
  });

  const post = (session: Session, status: string, options: Partial<mastodon.rest.v1.CreateStatusParamsBase> = {}) =>
    session.rest.v1.statuses.create({ status, visibility: 'public', ...options });
  /** The ids of every page of the library's paginator. */
  async function pages(paginator: AsyncIterable<readonly { readonly id: string }[]>): Promise<string[][]> {
    const found: string[][] = [];
    for await (const page of paginator) found.push(page.map(({ id }) => id));
    return found.filter((page) => page.length > 0);
  }

  it('registers, and gets a token of its own', async () => {
    expect(await phone.registered()).toMatchObject({
      name: 'Phone app',
      website: 'https://phone.example',
      redirectUri: OUT_OF_BAND,
    });
    const token = await phone.oauth.token.create({
      ...(await phone.client()),
      grantType: 'client_credentials',
      scope: 'read',
    });
    expect(token).toMatchObject({ tokenType: 'Bearer', scope: 'read' });
    const named = await phone.restOf(token.accessToken).v1.apps.verifyCredentials();
    expect(named).toMatchObject({ name: 'Phone app', website: 'https://phone.example' });
  });

  it('logs in, and reads its account', async () => {
    expect(alice.token).toMatchObject({ tokenType: 'Bearer', scope: SCOPES, createdAt: expect.any(Number) as unknown });
    const me = await alice.rest.v1.accounts.verifyCredentials();
    expect(me).toMatchObject({
      id: app.world.id('alice'),
      username: 'alice',
      acct: 'alice',
      url: `${app.env.baseUrl}/users/alice`,
      locked: false,
      statusesCount: 0,
      source: { privacy: 'public', sensitive: false, note: '', fields: [] },
    });
    expect(await statusCode(phone.logIn('alice', 'a wrong password'))).toBe(400);
    expect(await statusCode(phone.restOf('nonsense').v1.accounts.verifyCredentials())).toBe(401);
  });

  it('signs a user up', async () => {
    const own = await phone.oauth.token.create({
      ...(await phone.client()),
      grantType: 'client_credentials',
      scope: 'write',
    });
    await app.get(SettingsService).update([{ path: 'captcha.enabled', value: false }]); // apps of the reference send none
    const signUp = (username: string) =>
      phone.restOf(own.accessToken).v1.accounts.create({
        username,
        email: `${username}@mail.test`,
        password: PASSWORD,
        agreement: true,
        locale: 'en',
      });
    const token = await signUp('carol');
    expect(await phone.restOf(token.accessToken).v1.accounts.verifyCredentials()).toMatchObject({ username: 'carol' });
    await expect(signUp('Carol')).rejects.toMatchObject({
      statusCode: 400,
      details: { username: [{ error: 'ERR_TAKEN', description: 'has already been taken' }] },
    });
  });

  it('updates the profile', async () => {
    const changed = await alice.rest.v1.accounts.updateCredentials({
      displayName: 'Alice 🐈',
      note: 'Hello\n<b>there</b>',
      bot: true,
      fieldsAttributes: [
        { name: 'Site', value: 'https://alice.example' },
        { name: 'Pronouns', value: 'she' },
      ],
      source: { privacy: 'unlisted', sensitive: true, language: 'de' },
    });
    expect(changed).toMatchObject({
      displayName: 'Alice 🐈',
      bot: true,
      fields: [{ name: 'Site' }, { name: 'Pronouns', value: 'she', verifiedAt: null }],
      source: {
        note: 'Hello\r\n<b>there</b>', // what becomes of a line feed in a multipart form
        privacy: 'unlisted',
        sensitive: true,
        language: 'de',
        fields: [
          { name: 'Site', value: 'https://alice.example' },
          { name: 'Pronouns', value: 'she' },
        ],
      },
    });
    expect(changed.note).toBe('<p>Hello<br>&lt;b&gt;there&lt;/b&gt;</p>');
    const seen = await bob.rest.v1.accounts.$select(app.world.id('alice')).fetch();
    expect(seen).toMatchObject({ displayName: 'Alice 🐈', bot: true, note: changed.note });
    await alice.rest.v1.accounts.updateCredentials({ bot: false, source: { privacy: 'public', sensitive: false } });
  });

  it('posts, replies and reads the thread', async () => {
    const root = await post(alice, 'Good morning #coffee', { spoilerText: 'drinks', language: 'en' });
    expect(root).toMatchObject({
      account: { id: app.world.id('alice') },
      visibility: 'public',
      spoilerText: 'drinks',
      language: 'en',
      application: { name: 'Phone app', website: 'https://phone.example' },
      tags: [{ name: 'coffee' }],
      inReplyToId: null,
      repliesCount: 0,
    });
    const reply = await post(bob, '@alice and to you', { inReplyToId: root.id });
    expect(reply).toMatchObject({
      inReplyToId: root.id,
      inReplyToAccountId: app.world.id('alice'),
      mentions: [{ id: app.world.id('alice'), username: 'alice', acct: 'alice' }],
    });
    const answer = await post(alice, '@bob thanks', { inReplyToId: reply.id });

    const context = await bob.rest.v1.statuses.$select(reply.id).context.fetch();
    expect(idsOf(context.ancestors)).toEqual([root.id]);
    expect(idsOf(context.descendants)).toEqual([answer.id]);
    expect(await bob.rest.v1.statuses.$select(root.id).fetch()).toMatchObject({ id: root.id, repliesCount: 1 });
    expect(await alice.rest.v1.statuses.$select(root.id).source.fetch()).toMatchObject({
      text: 'Good morning #coffee',
      spoilerText: 'drinks',
    });
    expect(idsOf(await bob.rest.v1.statuses.fetch({ id: [answer.id, root.id] }))).toEqual([answer.id, root.id]);
  });

  it('uploads a picture, describes it and posts it, and changes its avatar', async () => {
    const file = new Blob([new Uint8Array(await picture('png'))], { type: 'image/png' });
    const media = await alice.rest.v2.media.create({ file, description: 'a blue field' });
    expect(media).toMatchObject({ type: 'image', description: 'a blue field', meta: { original: { width: 60 } } });
    await alice.rest.v1.media.$select(media.id).update({ description: 'a field' });
    const status = await alice.rest.v1.statuses.create({ mediaIds: [media.id] });
    expect(status.mediaAttachments).toMatchObject([{ id: media.id, url: media.url, description: 'a field' }]);
    const shown = await fetch(media.url ?? '');
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { avatar } = await alice.rest.v1.accounts.updateCredentials({ avatar: file });
    expect(avatar).toMatch(/\/media\//);
    await alice.rest.v1.statuses.$select(status.id).remove();
  });

  it('pages through the home timeline in both directions', async () => {
    const followed = await app.world.person('busy');
    await bob.rest.v1.accounts.$select(followed.id).follow();
    await app.drain();
    const busy = await phone.logIn('busy');
    for (let written = 0; written < 47; written += 1) await post(busy, `number ${written}`);
    await app.drain();

    const { timelines } = bob.rest.v1;
    const down = await pages(timelines.home.list({ limit: 20 }));
    const seen = down.flat();
    const stored = await app.sql<{ id: string }>(
      `select status_id as id from home_feed where account_id = $1 order by status_id desc`,
      [app.world.id('bob')],
    );
    expect(stored.length).toBeGreaterThanOrEqual(47);
    expect(seen).toEqual(idsOf(stored));
    expect(down.map((page) => page.length)).toEqual([20, 20, stored.length - 40]);

    const up = await pages(timelines.home.list({ limit: 20, minId: '0' }).setDirection('prev'));
    expect([...up].reverse().flat()).toEqual(seen);
    expect(up.map((page) => page.length)).toEqual([20, 20, stored.length - 40]);

    expect(idsOf(await timelines.home.list({ sinceId: seen[5]! }))).toEqual(seen.slice(0, 5));
  });

  it('favourites a post, and lists its favourites', async () => {
    const first = await post(alice, 'a favourite');
    const second = await post(alice, 'another favourite');
    for (const { id } of [first, second]) {
      const liked = await bob.rest.v1.statuses.$select(id).favourite();
      expect(liked).toMatchObject({ id, favourited: true, favouritesCount: 1 });
    }
    expect(idsOf(await bob.rest.v1.favourites.list())).toEqual([second.id, first.id]);
    expect(await pages(bob.rest.v1.favourites.list({ limit: 1 }))).toEqual([[second.id], [first.id]]);
    expect(idsOf(await alice.rest.v1.statuses.$select(first.id).favouritedBy.list())).toEqual([app.world.id('bob')]);
    expect(await alice.rest.v1.statuses.$select(first.id).fetch()).toMatchObject({
      favourited: false,
      favouritesCount: 1,
    });

    const unliked = await bob.rest.v1.statuses.$select(first.id).unfavourite();
    expect(unliked).toMatchObject({ favourited: false, favouritesCount: 0 });
    expect(idsOf(await bob.rest.v1.favourites.list())).toEqual([second.id]);
  });

  it('reblogs a post and undoes the reblog', async () => {
    const original = await post(alice, 'worth repeating');
    const boost = await bob.rest.v1.statuses.$select(original.id).reblog();
    expect(boost.id).not.toBe(original.id);
    expect(boost).toMatchObject({
      account: { id: app.world.id('bob') },
      reblog: { id: original.id, reblogged: true, reblogsCount: 1, account: { id: app.world.id('alice') } },
    });
    const by = alice.rest.v1.statuses.$select(original.id).rebloggedBy;
    expect(idsOf(await by.list())).toEqual([app.world.id('bob')]);
    const back = await bob.rest.v1.statuses.$select(original.id).unreblog();
    expect(back).toMatchObject({ id: original.id, reblogged: false, reblogsCount: 0 });
    expect(await by.list()).toEqual([]);
    expect(await statusCode(bob.rest.v1.statuses.$select(boost.id).fetch())).toBe(404);
  });

  it('follows, looks up and unfollows', async () => {
    const target = await alice.rest.v1.accounts.lookup({ acct: 'bob' });
    expect(target).toMatchObject({ id: app.world.id('bob'), acct: 'bob' });
    const them = alice.rest.v1.accounts.$select(target.id);
    const followersBefore = (await them.fetch()).followersCount;

    expect(await them.follow({ notify: true, reblogs: false })).toMatchObject({
      id: target.id,
      following: true,
      notifying: true,
      showingReblogs: false,
      requested: false,
      followedBy: false,
    });
    expect(idsOf(await them.followers.list())).toEqual([app.world.id('alice')]);
    const mine = alice.rest.v1.accounts.$select(app.world.id('alice')).following;
    expect(idsOf(await mine.list())).toEqual([target.id]);
    expect((await them.fetch()).followersCount).toBe(followersBefore + 1);
    const relationships = await bob.rest.v1.accounts.relationships.fetch({
      id: [app.world.id('alice'), app.world.id('busy')],
    });
    expect(relationships).toMatchObject([
      { id: app.world.id('alice'), followedBy: true, following: false },
      { id: app.world.id('busy'), followedBy: false, following: true },
    ]);

    expect(await them.unfollow()).toMatchObject({ id: target.id, following: false });
    expect(await them.followers.list()).toEqual([]);
    expect(await mine.list()).toEqual([]);
    expect((await them.fetch()).followersCount).toBe(followersBefore);
  });

  it('lists the posts of an account, and deletes one', async () => {
    const doomed = await post(alice, 'a slip of the tongue');
    const posts = alice.rest.v1.accounts.$select(app.world.id('alice')).statuses;
    const before = idsOf(await posts.list({ limit: 5 }));
    expect(before[0]).toBe(doomed.id);
    const { statusesCount } = await alice.rest.v1.accounts.verifyCredentials();

    const deleted = await alice.rest.v1.statuses.$select(doomed.id).remove();
    expect(deleted).toMatchObject({ id: doomed.id, text: 'a slip of the tongue' });
    expect(await statusCode(alice.rest.v1.statuses.$select(doomed.id).fetch())).toBe(404);
    expect(idsOf(await posts.list({ limit: 5 }))).not.toContain(doomed.id);
    expect(await alice.rest.v1.accounts.verifyCredentials()).toMatchObject({ statusesCount: statusesCount - 1 });
    expect(await statusCode(bob.rest.v1.statuses.$select(before[1]!).remove())).toBe(404);
  });

  it('reads the public timeline without signing in', async () => {
    const newest = await post(alice, 'for everybody');
    await post(alice, 'for friends', { visibility: 'private' });
    const [first] = await phone.restOf().v1.timelines.public.list({ limit: 1 });
    expect(first).toMatchObject({ id: newest.id, visibility: 'public', account: { username: 'alice' } });
  });

  it('reads both versions of the instance', async () => {
    const host = new URL(app.env.baseUrl).host;
    const v1 = await phone.restOf().v1.instance.fetch();
    expect(v1).toMatchObject({
      uri: host,
      title: 'svc',
      registrations: true,
      approvalRequired: false,
      configuration: { statuses: { maxCharacters: 5000 }, polls: { maxOptions: 20 } },
      urls: { streamingApi: `ws://${host}` },
    });
    expect(v1.version).toMatch(/^\d+\.\d+\.\d+ \(compatible; svc \d+\.\d+\.\d+\)$/);
    const v2 = await phone.restOf().v2.instance.fetch();
    expect(v2).toMatchObject({
      domain: host,
      title: 'svc',
      version: v1.version,
      registrations: { enabled: true, approvalRequired: false },
      configuration: { statuses: { maxCharacters: 5000 } },
      rules: [],
    });
  });

  it('logs out, which ends the token', async () => {
    const session = await phone.logIn('bob');
    expect(await statusCode(session.rest.v1.accounts.verifyCredentials())).toBe(200);
    const { clientId, clientSecret } = await phone.client();
    await phone.oauth.revoke({ clientId, clientSecret, token: session.token.accessToken });
    expect(await statusCode(session.rest.v1.accounts.verifyCredentials())).toBe(401);
    expect(await statusCode(session.rest.v1.timelines.home.list())).toBe(401);
    expect(await statusCode(bob.rest.v1.accounts.verifyCredentials())).toBe(200);
  });

  it('calls all the methods that test/data/masto-methods.tsv lists for it', () => {
    expect(phone.recorder.called).toEqual(expect.arrayContaining(calledIn('masto.spec.ts')));
  });
});
