import { SettingsService } from '../../../src/config/index.js';
import { InstanceDocumentsService } from '../../../src/instance/index.js';
import { RemoteStatusesService } from '../../../src/statuses/index.js';
import { ok, post, reblog, remoteStatus } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import { BROWSER, postsOn, readPage, wordsOf } from '../../support/pages.js';
import { useApp } from '../../support/servers/app.js';
import { startWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';

/* What lists of visitors show, and how posts look in them. */

const app = useApp({ people: ['alice', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });

const page = (path: string) => readPage(app, path);
const edit = async (name: string, values: Record<string, unknown>) =>
  (await app.world.as(name)).patch('/api/v1/accounts/update_credentials', values).expect(200);

describe('the lists of an account', () => {
  it('are its posts with the pinned ones first, those with replies, and those with files', async () => {
    const pinned = await post(app, 'alice', 'pinned');
    const picture = await post(app, 'alice', 'look', { media_ids: [(await upload(app, 'alice')).id] });
    const asked = await post(app, 'bob', 'a question');
    const reply = await post(app, 'alice', 'a reply', { in_reply_to_id: asked.id, visibility: 'public' });
    await (await app.world.as('alice')).post(`/api/v1/statuses/${pinned.id}/pin`).expect(200);
    const first = await page('/@alice');
    expect(postsOn(first)).toEqual([pinned.url, picture.url]);
    expect(wordsOf(first)).toMatch(/Pinned.*pinned.*look/);
    expect(postsOn(await page('/@alice?show=replies'))).toEqual([reply.url, picture.url, pinned.url]);
    expect(postsOn(await page('/@alice?show=media'))).toEqual([picture.url]);
    const answer = await app.http.get('/@alice?show=likes').set('Accept', BROWSER);
    expect(answer.status).toBe(400);
  });

  it.each([
    ['long', 'short'],
    ['short', 'long'],
  ] as const)('show each post once, also where only the last pin has room: %s, %s', async (...pinned) => {
    const posts = { long: await post(app, 'alice', 'ж'.repeat(5_000)), short: await post(app, 'alice', 'short') };
    const alice = await app.world.as('alice');
    for (const name of pinned) await alice.post(`/api/v1/statuses/${posts[name].id}/pin`).expect(200);
    const shown = await page('/@alice');
    expect(postsOn(shown)).toEqual(pinned.toReversed().map((name) => posts[name].url));
    expect(wordsOf(shown).match(/Pinned/g)).toHaveLength(1);
  });

  it('keep the chosen filter on the next page', async () => {
    const root = await post(app, 'bob', 'root');
    for (let count = 0; count < 21; count += 1) {
      await post(app, 'alice', `${count}`, { in_reply_to_id: root.id, visibility: 'public' });
    }
    const { text } = await page('/@alice?show=replies');
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(text) ?? [];
    expect(postsOn(await page(`/@alice${next.replace('&amp;', '&')}`))).toHaveLength(1);
  });

  it('V11 are its followers and followees, unless it hides them', async () => {
    await app.world.follow('bob', 'alice');
    const namesBob = async (path: string) => (await page(path)).text.includes('href="https://svc.test/@bob"');
    expect([await namesBob('/@alice/followers'), await namesBob('/@alice/following')]).toEqual([true, false]);
    expect((await page('/@alice')).text).toContain('href="https://svc.test/@alice/followers"');
    await edit('alice', { hide_followers: true });
    expect(await namesBob('/@alice/followers')).toBe(false);
    expect(wordsOf(await page('/@alice/followers'))).toContain('does not show this list');
    expect((await page('/@alice')).text).not.toContain('/@alice/followers');
  });
});

describe('lists whose newest posts are hidden from visitors', () => {
  it('lead on to those that are not', async () => {
    const { url } = await post(app, 'alice', 'my #tea');
    const { id: authorId } = await app.world.remote('zoe', 'far.test');
    for (let count = 0; count < 20; count += 1) {
      const named = { uri: `https://far.test/${count}`, authorId };
      const created = await app.get(RemoteStatusesService).create(remoteStatus(named, { tags: ['tea'] }));
      await reblog(app, 'alice', created!.statusId);
    }
    const path = 'restrict_unauthenticated.activities';
    await app.get(SettingsService).update([{ path, value: { local: false, remote: true } }]);
    try {
      for (const list of ['/@alice', '/tags/tea']) {
        const shown = await page(list);
        expect([list, postsOn(shown)]).toEqual([list, []]);
        expect(wordsOf(shown)).not.toContain('There is nothing here yet.');
        const [, next = ''] = /rel="next" href="(\?max_id=\w+)"/.exec(shown.text) ?? [];
        expect([list, postsOn(await page(list + next))]).toEqual([list, [url]]);
      }
    } finally {
      await app.get(SettingsService).reset(path);
    }
  });
});

describe('a post', () => {
  it('shows the numbers of its replies, boosts and favourites, and its reactions', async () => {
    const { id } = await post(app, 'alice', 'hello');
    expect((await page(`/notice/${id}`)).text).not.toContain('class="counts"');
    const bob = await app.world.as('bob');
    await bob.post(`/api/v1/statuses/${id}/favourite`).expect(200);
    await bob.put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`).expect(200);
    await reblog(app, 'bob', id);
    await post(app, 'bob', 'hi', { in_reply_to_id: id, visibility: 'public' });
    const shown = await page(`/notice/${id}`);
    expect(wordsOf(shown)).toMatch(/1 reply +1 boost +1 favourite +🍵 1/);
  });

  it('that is long shows its beginning in lists, and all on its own page', async () => {
    const { id } = await post(app, 'alice', 'wörd '.repeat(400));
    expect((await page('/@alice')).text).toMatch(/<details class="long">\s*<summary>.*Show all/);
    expect((await page(`/notice/${id}`)).text).not.toContain('class="long"');
  });

  it('labels pictures without a description, and makes code reachable by keyboard', async () => {
    const { id } = await post(app, 'alice', '```\ncode\n```', {
      content_type: 'text/markdown',
      media_ids: [(await upload(app, 'alice')).id],
    });
    const { text } = await page(`/notice/${id}`);
    expect(text).toContain('alt="A picture without a description"');
    expect(text).toContain('<pre tabindex="0">');
  });

  it('shows the preview of its link', async () => {
    const web = await startWebHost();
    try {
      web.page('/tea', '<title>The &lt;first&gt; page</title><meta property="og:image" content="/leaf.png">');
      const { id } = await post(app, 'alice', `read ${web.origin}/tea`);
      await app.drain();
      const { text } = await page(`/notice/${id}`);
      const [preview = ''] = /<a class="preview".*?<\/a>/s.exec(text) ?? [];
      expect(preview).toContain(`href="${web.origin}/tea" rel="nofollow noopener ugc"`);
      expect(preview).toContain('The &lt;first&gt; page');
      expect(preview).not.toContain('leaf.png'); // nothing is loaded from a third party
    } finally {
      await web.close();
    }
  });

  it('marks bots, accounts that approve followers, and staff that show their role', async () => {
    const person = await app.world.person('carol', { admin: true });
    await edit('carol', { bot: true, locked: true });
    const { id } = await post(app, person.nickname, 'hello');
    const shown = await page(`/notice/${id}`);
    expect(wordsOf(shown)).toMatch(/carol +bot +admin/);
    expect(shown.text).toContain('aria-label="Approves each follower"');
    await edit('carol', { show_role: false });
    expect(wordsOf(await page(`/notice/${id}`))).not.toContain('admin');
  });

  it('appears in its thread under the post that it answers', async () => {
    const root = await post(app, 'alice', 'root');
    const answer = async (parent: string, text: string) =>
      (await post(app, 'bob', text, { in_reply_to_id: parent, visibility: 'public' })).id;
    const first = await answer(root.id, 'first');
    const deep = await answer(first, 'deep');
    const second = await answer(root.id, 'second');
    const { text } = await page(`/notice/${root.id}`);
    const steps = Array.from(text.matchAll(/class="step-(\d)">\s*<article class="post" id="post-(\w+)"/g), (found) => [
      found[2],
      found[1],
    ]);
    expect(steps).toEqual([
      [first, '1'],
      [deep, '2'],
      [second, '1'],
    ]);
  });
});

describe('the bar of a page', () => {
  it('links to the same page for signed-in users, to the server of the visitor, and to an open sign-up', async () => {
    const { id } = await post(app, 'alice', 'hello');
    const { text } = await page(`/notice/${id}`);
    expect(text).toContain(`href="/auth/sign_in?return_to=${encodeURIComponent(`/app/posts/${id}`)}"`);
    expect(text).toContain(`href="/main/ostatus?status_id=${id}"`);
    expect(text).toContain('href="/auth/sign_up?return_to=');
    await app.get(SettingsService).update([{ path: 'instance.registrations_open', value: false }]);
    try {
      expect((await page(`/notice/${id}`)).text).not.toContain('href="/auth/sign_up');
    } finally {
      await app.get(SettingsService).reset('instance.registrations_open');
    }
  });
});

describe('/explore', () => {
  it('shows the trends of the API and discoverable accounts', async () => {
    await edit('alice', { discoverable: true });
    const { id, url } = await post(app, 'alice', 'hello #tea');
    await (await app.world.as('bob')).post(`/api/v1/statuses/${id}/favourite`).expect(200);
    const trending = await ok<{ url: string }[]>(app.world.anonymous.get('/api/v1/trends/statuses'));
    const shown = await page('/explore');
    expect(postsOn(shown)).toEqual(trending.map((status) => status.url));
    expect(postsOn(shown)).toEqual([url]);
    expect(shown.text).toContain('href="https://svc.test/@alice"');
    expect(shown.text).not.toContain('href="https://svc.test/@bob"');
  });

  it('V17 answers 404 where the timeline is for members only', async () => {
    await app
      .get(SettingsService)
      .update([{ path: 'restrict_unauthenticated.timelines', value: { local: false, federated: true } }]);
    try {
      expect((await app.http.get('/explore').set('Accept', BROWSER)).status).toBe(404);
    } finally {
      await app.get(SettingsService).reset('restrict_unauthenticated.timelines');
    }
  });
});

describe('the pages about the server', () => {
  it('are its description, and the documents that the staff wrote, without unsafe parts', async () => {
    for (const path of ['/privacy-policy', '/terms']) {
      expect((await page(path)).text).toContain('Nobody has written this for this server yet');
    }
    expect((await page('/about')).text).not.toContain('href="/privacy-policy"');
    const documents = app.get(InstanceDocumentsService);
    await documents.replace('privacy-policy', '<h1>We keep little</h1><script>x()</script>');
    expect((await page('/about')).text).toContain('href="/privacy-policy"');
    const { text } = await page('/privacy-policy');
    expect(text).toContain('<h2>We keep little</h2>');
    expect(text).not.toContain('x()');
    await documents.replace('terms-of-service', '<p>Be kind</p>');
    expect((await page('/terms')).text).toContain('Be kind');
  });

  it('V17 return 404 on a server that is not public', async () => {
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    try {
      for (const path of ['/about', '/explore', '/terms', '/@alice/followers']) {
        expect([path, (await app.http.get(path).set('Accept', BROWSER)).status]).toEqual([path, 404]);
      }
    } finally {
      await app.get(SettingsService).reset('instance.public');
    }
  });

  it('lead to the page that changes a password, and from other names to the local timeline', async () => {
    const targetOf = async (path: string) => (await app.http.get(path).set('Accept', BROWSER)).headers['location'];
    expect(await targetOf('/.well-known/change-password')).toBe('/auth/account/password');
    expect(await targetOf('/public')).toBe('/main/public');
  });
});
