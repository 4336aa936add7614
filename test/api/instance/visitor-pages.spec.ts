import { SCRIPT } from '../../../src/common/pages/assets.js';
import { useApp } from '../../support/servers/app.js';
import { addEmoji, emojiUrl } from '../../support/fixtures/emoji.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { mp4, wav } from '../../support/fixtures/media-files.js';
import { BROWSER, headLinks, metaOf, postsOn, readPage, wordsOf } from '../../support/pages.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';

const ACTIVITY = 'application/activity+json';

const app = useApp({ people: ['alice', 'bob'] });

const scriptless = (text: string) => text.replace(`<script type="module" src="${SCRIPT.path}"></script>`, '');
const page = (path: string, language?: string) => readPage(app, path, language);
const edit = async (values: Record<string, unknown>) =>
  (await app.world.as('alice')).patch('/api/v1/accounts/update_credentials', values).expect(200);

describe('the page of an account', () => {
  it('shows the account, and links to more', async () => {
    await edit({
      display_name: 'Alice & Co',
      note: 'Tea, <b>always</b>',
      discoverable: true,
      fields_attributes: [{ name: 'Site', value: 'https://alice.example' }],
    });
    await app.world.follow('bob', 'alice');
    const shown = await page('/@alice');
    expect(shown.text).toContain('<title>Alice &amp; Co (@alice@svc.test) · ');
    expect(shown.text).toContain('<h1><bdi>Alice &amp; Co</bdi></h1>');
    expect(wordsOf(shown)).toContain('@alice@svc.test');
    expect(wordsOf(shown)).toContain('Tea, ');
    expect(wordsOf(shown)).toMatch(/0 posts 1 follower 0 followed accounts/);
    expect(shown.text).toMatch(/<a href="https:\/\/alice\.example" rel="me ugc">/);
    expect(metaOf(shown)).toMatchObject({
      'og:type': 'profile',
      'og:title': 'Alice &amp; Co (@alice@svc.test)',
      'og:url': 'https://svc.test/@alice',
      'og:image': 'https://svc.test/images/avi.png',
      'profile:username': 'alice',
      'twitter:card': 'summary',
    });
    expect(metaOf(shown)['description']).toMatch(/^Tea, /);
    expect(headLinks(shown, 'canonical')).toEqual(['https://svc.test/@alice']);
    expect(headLinks(shown, 'alternate', ACTIVITY)).toEqual(['https://svc.test/users/alice']);
    expect(headLinks(shown, 'alternate', 'application/atom+xml')).toEqual(['https://svc.test/users/alice/feed.atom']);
    expect(headLinks(shown, 'alternate', 'application/rss+xml')).toEqual(['https://svc.test/users/alice/feed.rss']);
    for (const end of ['', '/feed.atom', '/feed.rss']) await app.http.get(`/users/alice${end}`).expect(200);
  });

  it('is hidden from search engines unless the account is indexable', async () => {
    expect(metaOf(await page('/@alice'))['robots']).toBe('noindex');
    await edit({ discoverable: true });
    expect(metaOf(await page('/@alice'))).not.toHaveProperty('robots');
  });

  it('hides the numbers that the owner hides', async () => {
    await app.world.follow('bob', 'alice');
    await edit({ hide_followers_count: true, hide_follows_count: true });
    expect(wordsOf(await page('/@alice'))).not.toMatch(/followers?\b|followed accounts?/);
  });

  it('shows where the account has moved', async () => {
    await app.sql('update accounts set moved_to_id = $2, version = version + 1 where id = $1', [
      app.world.id('alice'),
      app.world.id('bob'),
    ]);
    expect(wordsOf(await page('/@alice'))).toMatch(/alice has moved to +@bob@svc\.test/);
  });

  it('shows posts and boosts, page by page', async () => {
    const ids = await makeStatuses(app, 'alice', 44);
    const theirs = await post(app, 'bob', 'by bob');
    await reblog(app, 'alice', theirs.id);
    const expected = [theirs.url, ...ids.reverse().map((id) => `https://svc.test/notice/${id}`)];
    const seen: string[] = [];
    for (let path: string | undefined = '/@alice'; path !== undefined;) {
      const shown = await page(path);
      seen.push(...postsOn(shown));
      const next: string | undefined = /rel="next" href="(\?max_id=\w+)"/.exec(shown.text)?.[1];
      path = next && `/@alice${next}`;
    }
    expect(seen).toEqual(expected);
    expect(wordsOf(await page('/@alice'))).toContain('alice boosted');
    expect(wordsOf(await page('/@bob?max_id=0'))).toContain('There is nothing here yet.');
  });

  it('is small; further posts are on the next page', async () => {
    for (let count = 0; count < 15; count += 1) await post(app, 'alice', `${count} ${'wörd '.repeat(900)}`);
    const first = await page('/@alice');
    const style = await app.http.get(/href="(\/pages\/[^"]+\.css)"/.exec(first.text)![1]!).buffer(true);
    expect(Buffer.byteLength(first.text) + Buffer.byteLength(style.text)).toBeLessThan(100_000);
    expect(Buffer.byteLength(first.text)).toBeLessThan(40_000);
    const shown = postsOn(first);
    expect(shown.length).toBeGreaterThan(1);
    const [, next = ''] = /rel="next" href="(\?max_id=\w+)"/.exec(first.text) ?? [];
    expect([...shown, ...postsOn(await page(`/@alice${next}`))]).toHaveLength(2 * shown.length);
  });

  it.each(['/@ALICE', '/@alice@svc.test'])('is found at %s too', async (path) => {
    expect(headLinks(await page(path), 'canonical')).toEqual(['https://svc.test/@alice']);
  });

  it('is shown to browsers at the address of the actor, where other clients get a document', async () => {
    const answer = await app.http.get('/users/ALICE').set('Accept', BROWSER).expect(302);
    expect(answer.headers['location']).toBe('https://svc.test/@alice');
    expect(answer.headers['vary']).toMatch(/Accept/);
    await app.http.get('/users/nobody').set('Accept', BROWSER).expect(404);
    for (const accept of [
      ACTIVITY,
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      '*/*',
      `${ACTIVITY}, text/html;q=0.5`,
    ]) {
      const { headers } = await app.http.get('/users/alice').set('Accept', accept).expect(200);
      expect(headers['content-type']).toBe(`${ACTIVITY}; charset=utf-8`);
      const sent = await app.http.get('/@alice').set('Accept', accept);
      expect([accept, sent.status, sent.headers['location']]).toEqual(
        accept === '*/*' ? [accept, 200, undefined] : [accept, 302, 'https://svc.test/users/alice'],
      );
    }
  });
});

describe('the page of a post', () => {
  it('shows the post, and describes it to previews', async () => {
    await edit({ display_name: 'Alice', discoverable: true });
    const media = await upload(app, 'alice');
    const alice = await app.world.as('alice');
    await alice.put(`/api/v1/media/${media.id}`, { description: 'A "cup"' }).expect(200);
    const { id, uri, url, created_at } = await post(app, 'alice', 'Look at my #tea', {
      media_ids: [media.id],
      language: 'en',
    });
    expect(url).toBe(`https://svc.test/notice/${id}`);
    const shown = await page(`/notice/${id}`);
    expect(shown.text).toContain('<title>Alice: Look at my #tea · ');
    expect(shown.text).toMatch(/<div class="words" lang="en" dir="auto">\s*<p>Look at my <a /);
    expect(shown.text).toMatch(
      new RegExp(`<img src="${media.preview_url}" alt="A &quot;cup&quot;" width="\\d+" height="\\d+"`),
    );
    expect(metaOf(shown)).toMatchObject({
      description: 'Look at my #tea',
      'og:type': 'article',
      'og:title': 'Alice: Look at my #tea',
      'og:url': url,
      'og:image': media.url,
      'og:image:alt': 'A &quot;cup&quot;',
      'og:image:width': expect.stringMatching(/^\d+$/) as string,
      'og:image:height': expect.stringMatching(/^\d+$/) as string,
      'twitter:card': 'summary_large_image',
      'article:published_time': created_at,
      'article:author': 'https://svc.test/@alice',
      'fediverse:creator': '@alice@svc.test',
    });
    expect(metaOf(shown)).not.toHaveProperty('robots');
    expect(headLinks(shown, 'alternate', ACTIVITY)).toEqual([uri]);
    expect(headLinks(shown, 'canonical')).toEqual([url]);
  });

  it('folds content warnings, and shows only the warning to previews', async () => {
    await edit({ discoverable: true });
    const media = await upload(app, 'alice');
    const { id } = await post(app, 'alice', 'The butler did it', { spoiler_text: 'The end', media_ids: [media.id] });
    const shown = await page(`/notice/${id}`);
    const [head = ''] = shown.text.split('</head>');
    expect(head).not.toContain('butler');
    expect(head).not.toContain(media.url);
    expect(metaOf(shown)).toMatchObject({ description: 'The end', 'twitter:card': 'summary' });
    const [, folded = ''] = /<details>(.*?)<\/details>/s.exec(shown.text) ?? [];
    expect(folded).toMatch(/<summary><bdi>The end<\/bdi><\/summary>.*The butler did it.*<img /s);
    expect(shown.text.replace(folded, '')).not.toContain('butler');
  });

  it('folds sensitive pictures', async () => {
    const media = await upload(app, 'alice');
    const { id } = await post(app, 'alice', 'hm', { sensitive: true, media_ids: [media.id] });
    const shown = await page(`/notice/${id}`);
    const [folded = ''] = /<details>.*?<\/details>/s.exec(shown.text) ?? [];
    expect(folded).toContain(media.preview_url);
    expect(shown.text.replace(folded, '')).not.toContain(media.preview_url);
  });

  it('is hidden from search engines when it is unlisted', async () => {
    await edit({ discoverable: true });
    const listed = await post(app, 'alice', 'x');
    const unlisted = await post(app, 'alice', 'y', { visibility: 'unlisted' });
    expect(metaOf(await page(`/notice/${listed.id}`))).not.toHaveProperty('robots');
    expect(metaOf(await page(`/notice/${unlisted.id}`))['robots']).toBe('noindex');
  });

  it('shows the options of a poll', async () => {
    const { id } = await post(app, 'alice', 'Which?', { poll: { options: ['<tea>', 'milk'], expires_in: 600 } });
    expect(wordsOf(await page(`/notice/${id}`))).toMatch(/Which\? +&lt;tea&gt; .*milk/);
  });

  it('is shown to browsers at the address of the object, and redirects programs there', async () => {
    const { id, uri, url } = await post(app, 'alice', 'hello');
    const path = new URL(uri).pathname;
    expect((await app.http.get(path).set('Accept', BROWSER).expect(302)).headers['location']).toBe(url);
    expect((await ok<{ id: string }>(app.http.get(path))).id).toBe(uri);
    for (const accept of ['application/json', ACTIVITY]) {
      const answer = await app.http.get(`/notice/${id}`).set('Accept', accept).expect(302);
      expect([answer.headers['location'], answer.headers['vary']]).toEqual([uri, 'Accept']);
    }
  });

  it('redirects boosts to the post, and remote posts to their own page', async () => {
    const theirs = await post(app, 'bob', 'by bob');
    const boost = await reblog(app, 'alice', theirs.id);
    const sentTo = async (id: string) => (await app.http.get(`/notice/${id}`).expect(302)).headers['location'];
    expect(await sentTo(boost.id)).toBe(theirs.url);
    const [far] = (await makeStatuses(app, 'alice', 1)) as [string];
    const { id: zoe } = await app.world.remote('zoe', 'far.test');
    await app.sql(
      `update statuses set local = false, author_id = $2, url = 'https://far.test/@zoe/1', version = version + 1 where id = $1`,
      [far, zoe],
    );
    expect(await sentTo(far)).toBe('https://far.test/@zoe/1');
  });
});

describe('the player of a post', () => {
  it.each([
    ['video', mp4({ width: 640, height: 360 }), ['640', '360']],
    ['audio', wav(), ['480', '80']],
  ] as const)('is found by previews, and may be shown on other sites: %s', async (kind, content, size) => {
    const media = await upload(app, 'alice', content);
    const { id } = await post(app, 'alice', 'listen', { media_ids: [media.id] });
    const shown = await page(`/notice/${id}`);
    const meta = metaOf(shown);
    expect(meta).toMatchObject({
      'twitter:card': 'player',
      'twitter:player': `https://svc.test/notice/${id}/embed_player`,
      [`og:${kind}`]: media.url,
      [`og:${kind}:type`]: media.svc.mime_type,
    });
    expect([meta['twitter:player:width'], meta['twitter:player:height']]).toEqual(size);
    expect(shown.headers['x-frame-options']).toBe('DENY');
    const { text, headers } = await page(`/notice/${id}/embed_player`);
    expect(text).toMatch(new RegExp(`<${kind} src="${media.url}"`));
    expect(text).not.toMatch(/<script|<a |<form/);
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers['content-security-policy']).toContain('frame-ancestors *');
    expect(headers['content-security-policy']).not.toMatch(/script-src|unsafe|frame-ancestors 'none'/);
  });

  it('answers 404 without playable files, and for posts that are not public', async () => {
    const silent = await post(app, 'alice', 'hello');
    const media = await upload(app, 'alice', wav());
    const secret = await post(app, 'alice', 'psst', { media_ids: [media.id], visibility: 'private' });
    for (const { id } of [silent, secret, { id: 'unknown' }]) {
      const { headers } = await app.http.get(`/notice/${id}/embed_player`).set('Accept', BROWSER).expect(404);
      expect(headers['x-frame-options']).toBe('DENY');
    }
    expect(metaOf(await page(`/notice/${silent.id}`))).not.toHaveProperty('twitter:player');
  });

  it('is not offered to previews of posts with a content warning', async () => {
    const media = await upload(app, 'alice', wav());
    const { id } = await post(app, 'alice', 'loud', { media_ids: [media.id], spoiler_text: 'noise' });
    expect(metaOf(await page(`/notice/${id}`))).toMatchObject({ 'twitter:card': 'summary' });
  });
});

describe('the conversation around a post', () => {
  it('shows the posts before and after', async () => {
    const root = await post(app, 'bob', 'root');
    const middle = await post(app, 'alice', 'middle', { in_reply_to_id: root.id, visibility: 'public' });
    const hidden = await post(app, 'bob', 'hidden', { in_reply_to_id: middle.id, visibility: 'private' });
    const last = await post(app, 'bob', 'last', { in_reply_to_id: middle.id, visibility: 'unlisted' });
    const shown = await page(`/notice/${middle.id}`);
    expect(postsOn(shown)).toEqual([root.url, middle.url, last.url]);
    expect(wordsOf(shown)).toMatch(/root.*middle.*Answers.*last/);
    expect(shown.text).not.toContain(hidden.id);
    expect(wordsOf(await page(`/notice/${root.id}`))).toContain('Answers');
    expect(wordsOf(await page(`/notice/${last.id}`))).not.toContain('Answers');
  });

  it('keeps the page small', async () => {
    let parent = (await post(app, 'bob', 'root')).id;
    const long = 'wörd '.repeat(600);
    for (let depth = 0; depth < 5; depth += 1) {
      parent = (await post(app, 'alice', `${depth} ${long}`, { in_reply_to_id: parent, visibility: 'public' })).id;
    }
    const { id } = await post(app, 'bob', long, { in_reply_to_id: parent, visibility: 'public' });
    for (let count = 0; count < 9; count += 1) {
      await post(app, 'alice', `${count} ${long}`, { in_reply_to_id: id, visibility: 'public' });
    }
    const shown = await page(`/notice/${id}`);
    expect(postsOn(shown)).toContain(`https://svc.test/notice/${id}`);
    expect(postsOn(shown)).toContain(`https://svc.test/notice/${parent}`);
    expect(Buffer.byteLength(shown.text)).toBeLessThan(40_000);
  });
});

describe('the content of a post', () => {
  it('includes pictures of emoji, and the quoted post', async () => {
    await addEmoji(app, 'tea');
    const quoted = await post(app, 'bob', `a quoted ${'word '.repeat(100)}`);
    await edit({ display_name: 'Alice :tea:', note: 'about :tea:' });
    const { id } = await post(app, 'alice', 'a cup of :tea: `:tea:`', {
      quote_id: quoted.id,
      content_type: 'text/markdown',
    });
    const tea = `<img class="emoji" src="${emojiUrl('tea')}" alt=":tea:"`;
    const shown = await page(`/notice/${id}`);
    expect(shown.text).toContain(`<bdi>Alice ${tea}`);
    expect(shown.text).toMatch(/a cup of <img class="emoji" [^>]*> <code>:tea:<\/code>/);
    expect(shown.text).toContain(`<blockquote cite="${quoted.url}">`);
    expect(wordsOf(shown)).toMatch(/bob +a quoted word .*word…/);
    const profile = await page('/@alice');
    expect(profile.text).toContain(`about ${tea}`);
    expect(profile.text).toContain('<title>Alice :tea: (@alice@svc.test) · ');
  });

  it('shows only the warning of a quoted post, and nothing of a hidden one', async () => {
    const warned = await post(app, 'bob', 'the end', { spoiler_text: 'careful' });
    const { id } = await post(app, 'alice', 'look', { quote_id: warned.id });
    const shown = await page(`/notice/${id}`);
    expect([wordsOf(shown).includes('careful'), wordsOf(shown).includes('the end')]).toEqual([true, false]);
    await app.sql('update statuses set visibility = 2, version = version + 1 where id = $1', [warned.id]);
    expect((await page(`/notice/${id}`)).text).not.toMatch(/careful|blockquote/);
  });
});

describe('the page of a tag', () => {
  it('shows the public posts with the tag, also at the address that posts link to', async () => {
    const first = await post(app, 'alice', 'my #Tea');
    const second = await post(app, 'bob', 'your #tea');
    for (const path of ['/tags/tea', '/tag/TEA']) {
      const shown = await page(path);
      expect(postsOn(shown)).toEqual([second.url, first.url]);
      expect(shown.text).toContain('<h1><bdi>#tea</bdi></h1>');
      expect(headLinks(shown, 'canonical')).toEqual(['https://svc.test/tags/tea']);
      expect(headLinks(shown, 'alternate', 'application/rss+xml')).toEqual(['https://svc.test/tags/tea.rss']);
      expect(metaOf(shown)['robots']).toBe('noindex');
    }
    const { text } = await page(`/notice/${first.id}`);
    expect(text).toContain('href="https://svc.test/tag/tea"');
  });

  it.each([
    [undefined, 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    [BROWSER, 'text/html; charset=utf-8'],
    ['application/rss+xml', 'application/rss+xml; charset=utf-8'],
    ['application/atom+xml, */*;q=0.1', 'application/atom+xml; charset=utf-8'],
  ])('sends %s the type %s', async (accept, type) => {
    await post(app, 'alice', 'my #tea');
    const request = app.http.get('/tags/tea');
    const answer = await (accept === undefined ? request : request.set('Accept', accept)).expect(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['vary']).toMatch(/\bAccept\b/);
  });
});

describe('every page', () => {
  it("uses the visitor's language, and contains and allows one script and no styles", async () => {
    const { id } = await post(app, 'alice', 'my #tea');
    for (const path of ['/@alice', '/@alice/followers', `/notice/${id}`, '/tags/tea', '/explore', '/about']) {
      for (const [language, word] of [
        ['de', 'Zum Inhalt springen'],
        ['fr', 'message'],
      ] as const) {
        const { text, headers } = await page(path, language);
        expect(headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'content-language': language,
          'cache-control': 'public, max-age=60',
          'x-frame-options': 'DENY',
        });
        expect(headers['vary']).toMatch(/Accept\b.*Accept-Language/);
        expect(headers['content-security-policy']).toContain(`script-src https://svc.test${SCRIPT.path};`);
        expect(headers['content-security-policy']).not.toMatch(/unsafe/);
        expect(scriptless(text)).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
        expect(text.match(/<h1\b/g)).toHaveLength(1);
        if (path === '/@alice' || language === 'de') expect(text).toContain(word);
      }
    }
  });

  it('U3 escapes hostile texts', async () => {
    const evil = `"><script>x()</script><img src=x onerror=x()>`;
    await edit({ display_name: evil.slice(0, 30), note: evil, fields_attributes: [{ name: evil, value: evil }] });
    const { id } = await post(app, 'alice', `${evil} #tea`, {
      spoiler_text: evil,
      poll: { options: [evil, 'b'], expires_in: 600 },
    });
    for (const path of ['/@alice', `/notice/${id}`, '/tags/tea']) {
      const { text } = await page(path);
      expect(scriptless(text)).not.toMatch(/<script|<img src=x/);
      expect(text).toContain('&lt;script&gt;');
    }
  });
});
