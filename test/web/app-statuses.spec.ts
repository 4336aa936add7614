import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { postsOn } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});

const posts = async (path: string) => postsOn(await visit.get(path));
const inApp = (id: string) => `/app/posts/${id}`;
const act = (id: string, action: string) => `${inApp(id)}/actions/${action}?at=${id}`;

describe('timelines in the browser', () => {
  it('are the first page after the sign-in', async () => {
    expect((await visit.get('/')).headers['location']).toBe('/app/home');
    expect((await new BrowserVisit(app).get('/app/home')).headers['location']).toBe(
      '/auth/sign_in?return_to=%2Fapp%2Fhome',
    );
  });

  it('show the same posts as the API, page by page', async () => {
    const ids = await makeStatuses(app, 'bob', 25);
    const expected = ids.reverse().map(inApp);
    expect(await posts('/app/local')).toEqual(expected.slice(0, 20));
    const next = /rel="next" href="(\?max_id=\w+)"/.exec((await visit.get('/app/local')).text)![1]!;
    expect(await posts(`/app/local${next}`)).toEqual(expected.slice(20));
  });

  it('lead on from pages whose posts are all hidden by a filter', async () => {
    const [first] = (await makeStatuses(app, 'bob', 1)) as [string];
    const [hidden] = await makeStatuses(app, 'bob', 20, { text: 'coffee' });
    const filter = { title: 'c', context: ['public', 'account'], filter_action: 'hide' };
    const keywords = [{ keyword: 'coffee', whole_word: true }];
    await ok((await app.world.as('alice')).post('/api/v2/filters', { ...filter, keywords_attributes: keywords }));
    for (const path of ['/app/local', `/app/people/${app.world.id('bob')}`]) {
      const shown = await visit.get(path);
      expect([path, postsOn(shown)]).toEqual([path, []]);
      expect(shown.text).not.toContain('There is nothing here yet.');
      const [, next = ''] = /rel="next" href="(\?max_id=\w+)"/.exec(shown.text) ?? [];
      expect([path, await posts(path + next)]).toEqual([path, [inApp(first)]]);
    }
    const last = await visit.get('/app/local', { since_id: hidden! });
    expect(last.text).toContain('There is nothing here yet.');
  });

  it.each([
    ['/app/local', ['public']],
    ['/app/federated', ['public']],
    ['/app/tags/tea', ['public']],
    ['/app/bookmarks', ['public', 'private']],
    ['/app/favourites', ['public', 'private']],
  ])('at %s show posts with the visibilities %j', async (path, shown) => {
    await app.world.follow('alice', 'bob');
    const written: string[] = [];
    for (const visibility of ['private', 'public']) {
      const { id } = await post(app, 'bob', `some #tea, ${visibility}`, { visibility });
      const alice = await app.world.as('alice');
      await ok(alice.post(`/api/v1/statuses/${id}/bookmark`));
      await ok(alice.post(`/api/v1/statuses/${id}/favourite`));
      if (shown.includes(visibility)) written.unshift(inApp(id));
    }
    expect(await posts(path)).toEqual(written);
  });

  it('show posts of followed accounts at home', async () => {
    await app.world.follow('alice', 'bob');
    const { id } = await post(app, 'bob', 'hello');
    await post(app, 'carol', 'not followed');
    await app.drain();
    expect(await posts('/app/home')).toEqual([inApp(id)]);
  });

  it('let the viewer follow and unfollow a hashtag', async () => {
    await post(app, 'bob', 'some #tea');
    const followed = async () => ok((await app.world.as('alice')).get('/api/v1/followed_tags'));
    await visit.get('/app/tags/tea');
    expect((await visit.press('/app/tags/tea/follow')).headers['location']).toBe('/app/tags/tea');
    expect(await followed()).toMatchObject([{ name: 'tea' }]);
    await visit.get('/app/tags/tea');
    await visit.press('/app/tags/tea/unfollow');
    expect(await followed()).toEqual([]);
  });

  it('hide posts of blocked accounts', async () => {
    await post(app, 'bob', 'hello');
    await ok((await app.world.as('alice')).post(`/api/v1/accounts/${app.world.id('bob')}/block`));
    expect(await posts('/app/federated')).toEqual([]);
  });
});

describe('the page of a post', () => {
  it('shows the thread, and returns 404 for posts that the viewer may not see', async () => {
    const parent = await post(app, 'bob', 'one');
    const answer = await post(app, 'alice', 'two', { in_reply_to_id: parent.id });
    const last = await post(app, 'carol', 'three', { in_reply_to_id: answer.id });
    expect(await posts(inApp(answer.id))).toEqual([parent.id, answer.id, last.id].map(inApp));
    const secret = await post(app, 'bob', 'for followers', { visibility: 'private' });
    expect((await visit.get(inApp(secret.id))).status).toBe(404);
    expect((await visit.get(inApp('nothing'))).status).toBe(404);
  });
});

describe('the buttons of a post', () => {
  it.each([
    ['favourite', 'unfavourite', 'favourited'],
    ['reblog', 'unreblog', 'reblogged'],
    ['bookmark', 'unbookmark', 'bookmarked'],
  ])('%s and %s it, and return to its place', async (on, off, field) => {
    const { id } = await post(app, 'bob', 'hello');
    const state = async () =>
      (await ok<Record<string, boolean>>((await app.world.as('alice')).get(`/api/v1/statuses/${id}`)))[field];
    for (const [action, expected] of [
      [on, true],
      [off, false],
    ] as const) {
      await visit.get('/app/local?limit=5');
      const pressed = await visit.press(act(id, action));
      expect([pressed.status, pressed.headers['location']]).toEqual([303, `/app/local?limit=5#post-${id}`]);
      expect([action, await state()]).toEqual([action, expected]);
    }
  });

  it('do nothing without the token of the session, for unknown actions and for posts that are hidden', async () => {
    const { id } = await post(app, 'bob', 'hello', { visibility: 'private' });
    await visit.get('/app/home');
    const token = visit.field('_csrf')!;
    expect((await visit.post(act(id, 'favourite'), {})).status).toBe(403);
    for (const action of ['favourite', 'reblog', 'nothing', 'constructor'])
      expect([action, (await visit.post(act(id, action), { _csrf: token })).status]).toEqual([action, 404]);
  });

  it('redirect only within this server', async () => {
    const { id } = await post(app, 'bob', 'hello');
    await visit.get('/app/local');
    const pressed = await visit.press(act(id, 'favourite'), { return_to: 'https://evil.test/' });
    expect(pressed.headers['location']).toBe(`/#post-${id}`);
  });

  it('add and remove a reaction', async () => {
    const { id } = await post(app, 'bob', 'hello');
    const reactions = async () =>
      (await ok<{ emoji_reactions: unknown[] }>((await app.world.as('alice')).get(`/api/v1/statuses/${id}`)))
        .emoji_reactions;
    await visit.get(inApp(id));
    await visit.post(act(id, 'react'), { _csrf: visit.field('_csrf')!, emoji: '🍵' });
    expect(await reactions()).toMatchObject([{ name: '🍵', count: 1, me: true }]);
    await visit.get(inApp(id));
    await visit.press(act(id, 'unreact'), { emoji: '🍵' });
    expect(await reactions()).toEqual([]);
  });

  it('send a vote', async () => {
    const { id, poll } = await post(app, 'bob', 'tea?', { poll: { options: ['yes', 'no'], expires_in: 600 } });
    await visit.get('/app/local');
    await visit.press(`${act(id, 'vote')}&poll=${(poll as unknown as { id: string }).id}`, { choices: '1' });
    const shown = await ok<{ poll: object }>((await app.world.as('alice')).get(`/api/v1/statuses/${id}`));
    expect(shown.poll).toMatchObject({ voted: true, own_votes: [1] });
    expect((await visit.get('/app/local')).text).not.toContain(`${id}/actions/vote`);
  });

  it('send no vote without choices', async () => {
    const { id, poll } = await post(app, 'bob', 'tea?', {
      poll: { options: ['yes', 'no'], multiple: true, expires_in: 600 },
    });
    await visit.get(inApp(id));
    const vote = async (fields: string) =>
      (await visit.send(`${act(id, 'vote')}&poll=${poll!.id}`, `_csrf=${visit.field('_csrf')}${fields}`)).status;
    const shown = async () => (await ok((await app.world.as('alice')).get(`/api/v1/statuses/${id}`))).poll;
    for (const none of ['', '&choices=', '&choices=+', '&choices=.5', '&choices=0&choices=1e0']) {
      await visit.get(inApp(id));
      expect([none, await vote(none)]).toEqual([none, 400]);
    }
    expect(await shown()).toMatchObject({ voted: false, voters_count: 0, votes_count: 0 });
    await visit.get(inApp(id));
    expect(await vote('&choices=0&choices=1')).toBe(303);
    expect(await shown()).toMatchObject({ voted: true, own_votes: [0, 1], voters_count: 1 });
  });
});
