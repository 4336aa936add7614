import { startApp, useApp } from '../../support/servers/app.js';
import { addEmoji, emojiUrl } from '../../support/fixtures/emoji.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import { type Feed, idsOf, linksOf, readFeed } from '../../support/fixtures/feeds.js';
import { all, textOf, type XmlElement } from '../../support/fixtures/xml.js';

const ATOM = 'application/atom+xml; charset=utf-8';
const RSS = 'application/rss+xml; charset=utf-8';
const NOT_FOUND = { error: 'Not found' };

const app = useApp({ people: ['alice', 'bob'] });

const read = (path: string, accept?: string) => readFeed(app, path, accept);

describe('the feed of an account', () => {
  it('is valid Atom (RFC 4287)', async () => {
    const alice = await app.world.as('alice');
    await alice
      .patch('/api/v1/accounts/update_credentials', { display_name: 'Alice & Co', note: 'Tea <3' })
      .expect(200);
    const media = await upload(app, 'alice');
    await alice.put(`/api/v1/media/${media.id}`, { description: 'A "cup"' }).expect(200);
    const { uri, url, id } = await post(app, 'alice', 'Look at my #tea', { media_ids: [media.id], language: 'en' });
    const [{ size }] = (await app.sql<{ size: string }>('select size::text from attachments')) as [{ size: string }];
    const { root, entries, headers } = await read('/users/alice/feed.atom');
    expect(headers['content-type']).toBe(ATOM);
    expect([root.name, root.attributes]).toEqual(['feed', { xmlns: 'http://www.w3.org/2005/Atom' }]);
    expect(textOf(root, 'id')).toBe('https://svc.test/users/alice/feed');
    expect(textOf(root, 'title')).toBe('Alice & Co (@alice@svc.test)');
    expect(textOf(root, 'subtitle')).toBe('Tea <3');
    expect(linksOf(root, 'self')).toEqual([
      { rel: 'self', type: 'application/atom+xml', href: 'https://svc.test/users/alice/feed.atom' },
    ]);
    expect(linksOf(root, 'alternate')).toEqual([
      { rel: 'alternate', type: 'text/html', href: 'https://svc.test/@alice' },
    ]);
    expect(linksOf(root, 'next')).toEqual([]);
    const [author] = all(root, 'author');
    expect([textOf(author!, 'name'), textOf(author!, 'uri')]).toEqual(['Alice & Co', 'https://svc.test/@alice']);
    expect(entries).toHaveLength(1);
    const [entry] = entries as [XmlElement];
    const [{ created_at }] = await ok<[{ created_at: string }]>(alice.get('/api/v1/statuses', { ids: [id] }));
    expect(entry.attributes).toEqual({ 'xml:lang': 'en' });
    expect(textOf(entry, 'id')).toBe(uri);
    expect(textOf(entry, 'title')).toBe('Look at my #tea');
    expect([textOf(entry, 'published'), textOf(entry, 'updated')]).toEqual([created_at, created_at]);
    expect(textOf(root, 'updated')).toBe(created_at);
    expect(linksOf(entry, 'alternate')).toEqual([
      { rel: 'alternate', type: 'text/html', href: url },
      { rel: 'alternate', type: 'application/activity+json', href: uri },
    ]);
    expect(linksOf(entry, 'enclosure')).toEqual([
      { rel: 'enclosure', href: media.url, type: media.svc.mime_type, length: size, title: 'A "cup"' },
    ]);
    expect(Number(size)).toBeGreaterThan(0);
    expect(all(entry, 'category').map(({ attributes }) => attributes)).toEqual([{ term: 'tea' }]);
    const [content] = all(entry, 'content');
    expect(content?.attributes).toEqual({ type: 'html' });
    expect(content?.text).toContain('Look at my <a ');
    expect(all(entry, 'author')).toHaveLength(1);
  });

  it.each(['atom', 'rss'])('shows the beginning of a quoted post: %s', async (format) => {
    const quoted = await post(app, 'bob', 'tea & <cake>');
    await post(app, 'alice', 'so true', { quote_id: quoted.id });
    const { entries } = await read(`/users/alice/feed.${format}`);
    const html = textOf(entries[0]!, format === 'atom' ? 'content' : 'description');
    expect(html).toContain(
      `<blockquote cite="${quoted.url}"><p>tea &amp; &lt;cake&gt;</p><a href="${quoted.url}">bob</a></blockquote>`,
    );
  });

  it.each(['atom', 'rss'])('shows custom emoji in HTML parts only: %s', async (format) => {
    await addEmoji(app, 'tea');
    const options = { spoiler_text: 'hot :tea:', poll: { options: ['a :tea:', 'b'], expires_in: 600 } };
    await post(app, 'alice', 'a cup of :tea: `:tea:` :none:', { ...options, content_type: 'text/markdown' });
    const { entries, source } = await read(`/users/alice/feed.${format}`);
    const [entry] = entries as [XmlElement];
    const tea = `<img src="${emojiUrl('tea')}" alt=":tea:" title=":tea:" height="20" />`;
    const html = textOf(entry, format === 'atom' ? 'content' : 'description');
    expect(html).toContain(`<summary>hot ${tea}</summary>`);
    expect(html).toContain(`a cup of ${tea} <code>:tea:</code> :none:`);
    expect(html).toContain(`<li>a ${tea}</li>`);
    expect(textOf(entry, 'title')).toBe('hot :tea:');
    if (format === 'atom') expect(textOf(entry, 'summary')).toBe('hot :tea:');
    expect(source).not.toContain('<img');
  });

  it('is RSS 2.0', async () => {
    const alice = await app.world.as('alice');
    const media = [await upload(app, 'alice'), await upload(app, 'alice')];
    const { uri, url, created_at } = await post(app, 'alice', 'Look at my #tea', {
      media_ids: media.map(({ id }) => id),
      sensitive: true,
    });
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' }).expect(200);
    const { root, entries, headers } = await read('/users/alice/feed.rss');
    expect(headers['content-type']).toBe(RSS);
    expect(textOf(root, 'title')).toBe('Alice (@alice@svc.test)');
    expect(textOf(root, 'link')).toBe('https://svc.test/@alice');
    expect(textOf(root, 'description')).not.toBe('');
    expect(linksOf(root, 'self', 'atom:link')).toEqual([
      { rel: 'self', type: 'application/rss+xml', href: 'https://svc.test/users/alice/feed.rss' },
    ]);
    const [entry] = entries as [XmlElement];
    expect(all(entry, 'guid')).toEqual([
      { name: 'guid', attributes: { isPermaLink: 'false' }, children: [], text: uri },
    ]);
    expect([textOf(entry, 'link'), textOf(entry, 'title')]).toEqual([url, 'Look at my #tea']);
    expect(textOf(entry, 'pubDate')).toBe(new Date(created_at).toUTCString());
    expect([textOf(entry, 'dc:creator'), textOf(entry, 'category')]).toEqual(['Alice', 'tea']);
    const sizes = await app.sql<{ size: string }>('select size::text from attachments order by position');
    expect(all(entry, 'enclosure').map(({ attributes }) => attributes)).toEqual([
      { url: media[0]!.url, length: sizes[0]!.size, type: media[0]!.svc.mime_type },
    ]);
    const contents = all(entry, 'media:content');
    expect(contents.map(({ attributes }) => attributes)).toEqual(
      media.map((file, at) => ({
        url: file.url,
        type: file.svc.mime_type,
        fileSize: sizes[at]!.size,
        medium: 'image',
      })),
    );
    expect(contents.map((content) => textOf(content, 'media:rating'))).toEqual(['adult', 'adult']);
  });

  it('puts the content warning first, and into the title instead of the text', async () => {
    await post(app, 'alice', 'The butler did it', { spoiler_text: 'The <end> & all' });
    const { entries } = await read('/users/alice/feed.atom');
    expect([textOf(entries[0]!, 'title'), textOf(entries[0]!, 'summary')]).toEqual([
      'The <end> & all',
      'The <end> & all',
    ]);
    expect(textOf(entries[0]!, 'content')).toMatch(
      /^<details><summary>The &lt;end&gt; &amp; all<\/summary>.*The butler did it.*<\/details>$/,
    );
    expect((await read('/users/alice/feed.rss')).entries.map((entry) => textOf(entry, 'title'))).toEqual([
      'The <end> & all',
    ]);
  });

  it('shows the time of an edit, and keeps the id of the post', async () => {
    const { id, uri } = await post(app, 'alice', 'frist');
    const edited = await ok((await app.world.as('alice')).put(`/api/v1/statuses/${id}`, { status: 'first' }));
    const { root, entries } = await read('/users/alice/feed.atom');
    expect([textOf(entries[0]!, 'id'), textOf(entries[0]!, 'updated')]).toEqual([uri, edited.edited_at]);
    expect(textOf(root, 'updated')).toBe(edited.edited_at);
  });

  it('has a title for each post: its first words in one line, or its author', async () => {
    await post(app, 'alice', `one\n\ntwo ${'word '.repeat(40)}`);
    const media = await upload(app, 'alice');
    await post(app, 'alice', '', { media_ids: [media.id] });
    const titles = (await read('/users/alice/feed.atom')).entries.map((entry) => textOf(entry, 'title'));
    expect(titles[0]).toBe('A post by alice');
    expect(titles[1]).toMatch(/^one two (word ){5,}word…$/);
    expect(titles[1]!.length).toBeLessThan(85);
  });

  it('lists the options of a poll', async () => {
    await post(app, 'alice', 'Which?', { poll: { options: ['<tea>', 'milk'], expires_in: 600 } });
    const { entries } = await read('/users/alice/feed.rss');
    expect(textOf(entries[0]!, 'description')).toContain('<ul><li>&lt;tea&gt;</li><li>milk</li></ul>');
  });

  it.each([
    ['/users/alice/feed', undefined, ATOM],
    ['/users/alice/feed', '*/*', ATOM],
    ['/users/alice/feed', 'text/html,application/xhtml+xml,*/*;q=0.8', ATOM],
    ['/users/alice/feed', 'application/rss+xml', RSS],
    ['/users/alice/feed', 'application/rss+xml;q=0.9, application/atom+xml;q=0.5', RSS],
    ['/users/alice/feed', 'application/json', ATOM],
    ['/users/ALICE/feed.rss', undefined, RSS],
    ['/users/alice.rss', 'application/atom+xml', RSS],
    ['/users/alice.atom', undefined, ATOM],
    ['/@alice.rss', undefined, RSS],
    ['/@alice.atom?max_id=zzz', undefined, ATOM],
  ])('answers %s for %s as %s', async (path, accept, type) => {
    const { headers, root } = await read(path, accept);
    expect(headers['content-type']).toBe(type);
    if (path.startsWith('/users')) expect(headers['access-control-allow-origin']).toBe('*');
    if (path.endsWith('/feed')) expect(headers['vary']).toMatch(/\bAccept\b(?!-)/); // or a cache mixes the formats up
    const format = type === RSS ? 'rss' : 'atom';
    const [self] = linksOf(root, 'self', type === RSS ? 'atom:link' : 'link');
    expect(self?.['href']).toMatch(`https://svc.test/users/alice/feed.${format}`);
  });

  it("can be addressed by the account's id too", async () => {
    expect(textOf((await read(`/users/${app.world.id('alice')}/feed.atom`)).root, 'id')).toBe(
      'https://svc.test/users/alice/feed',
    );
  });

  it.each(['atom', 'rss'])('has pages that all share the id of the feed (%s)', async (format) => {
    const ids = (await makeStatuses(app, 'alice', 45)).reverse().map((id) => `https://svc.test/objects/${id}`);
    const seen: string[] = [];
    let next: string | undefined = `/users/alice/feed.${format}`;
    for (let page = 0; next !== undefined; page += 1) {
      const feed: Feed = await read(next);
      expect(feed.entries).toHaveLength([20, 20, 5][page]!);
      seen.push(...idsOf(feed));
      const name = format === 'rss' ? 'atom:link' : 'link';
      expect(linksOf(feed.root, 'self', name)[0]?.['href']).toBe(`https://svc.test${next}`);
      next = linksOf(feed.root, 'next', name)[0]?.['href']?.replace('https://svc.test', '');
    }
    expect(seen).toEqual(ids);
  });

  it('answers 304 to a reader with the current version', async () => {
    await post(app, 'alice', 'hello');
    const { headers } = await read('/users/alice/feed.rss');
    expect(headers['cache-control']).toBe('public, max-age=180');
    const again = () => app.http.get('/users/alice/feed.rss').set('If-None-Match', headers['etag']!);
    const answer = await again().expect(304);
    expect([answer.text, answer.headers['etag']]).toEqual(['', headers['etag']]);
    await (
      await app.world.as('bob')
    )
      .post(`/api/v1/statuses/${(await post(app, 'bob', 'x')).id}/favourite`)
      .expect(200);
    await again().expect(304);
    await post(app, 'alice', 'hello again');
    await again().expect(200);
  });

  it('answers HEAD without the feed', async () => {
    const { headers, source } = await read('/users/alice/feed.atom');
    const head = await app.http.head('/users/alice/feed.atom').expect(200);
    expect([head.headers['etag'], head.headers['content-length']]).toEqual([
      headers['etag'],
      String(Buffer.byteLength(source)),
    ]);
  });

  it('rejects invalid page parameters', async () => {
    await app.http.get(`/users/alice/feed.rss?max_id=${'x'.repeat(65)}`).expect(400);
    expect((await read('/users/alice/feed.rss?max_id=0')).entries).toEqual([]);
  });
});

describe('the feed of a tag', () => {
  it('has the public posts with the tag, of all authors', async () => {
    const first = await post(app, 'alice', 'my #Tea');
    const second = await post(app, 'bob', 'your #tea');
    await post(app, 'bob', 'your #milk');
    for (const path of ['/tags/tea.rss', '/tags/TEA.atom', '/tags/%23tea.rss']) {
      expect(idsOf(await read(path))).toEqual([second.uri, first.uri]);
    }
    const { root, headers } = await read('/tags/tea.atom');
    expect(textOf(root, 'id')).toBe('https://svc.test/tags/tea');
    expect(textOf(root, 'title')).toMatch(/^#tea · /);
    expect(linksOf(root, 'self')[0]?.['href']).toBe('https://svc.test/tags/tea.atom');
    expect(headers['content-type']).toBe(ATOM);
  });

  it('names each author, as Atom requires', async () => {
    await post(app, 'alice', 'my #tea');
    await post(app, 'bob', 'your #tea');
    const { entries } = await read('/tags/tea.atom');
    expect(entries.map((entry) => textOf(all(entry, 'author')[0]!, 'name'))).toEqual(['bob', 'alice']);
  });

  it('supports other alphabets', async () => {
    const { uri } = await post(app, 'alice', 'ein #Käse');
    const feed = await read(`/tags/${encodeURIComponent('käse')}.rss`);
    expect(idsOf(feed)).toEqual([uri]);
    expect(linksOf(feed.root, 'self', 'atom:link')[0]?.['href']).toBe('https://svc.test/tags/k%C3%A4se.rss');
  });

  it('has pages', async () => {
    for (let count = 0; count < 21; count += 1) await post(app, 'alice', `#tea ${count}`);
    const { root, entries } = await read('/tags/tea.rss');
    expect(entries).toHaveLength(20);
    const next = linksOf(root, 'next', 'atom:link')[0]!['href']!;
    expect((await read(next.replace('https://svc.test', ''))).entries).toHaveLength(1);
  });

  it.each(['/tags/nobody-used-this.rss', '/tags/unused.rss', '/tags/a%20b.atom'])('answers 404 at %s', async (path) => {
    await app.http.get(path).expect(404, NOT_FOUND);
  });
});

describe('hostile texts', () => {
  const EVIL = `]]></title><script>x()</script> & "'`;
  const CONTROLS = '\u0001\u0008\u001f\ufffe\uffff';

  it.each(['atom', 'rss'])('are escaped, and leave the feed well-formed (%s)', async (format) => {
    const alice = await app.world.as('alice');
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: EVIL, note: EVIL }).expect(200);
    const { id } = await post(app, 'alice', `${EVIL} #tea`, { spoiler_text: EVIL });
    await app.sql(
      `update statuses set spoiler = spoiler || $2, content_html = content_html || $2, version = version + 1 where id = $1`,
      [id, CONTROLS],
    );
    await app.sql(`update accounts set display_name = display_name || $2, version = version + 1 where id = $1`, [
      app.world.id('alice'),
      CONTROLS,
    ]);
    for (const path of [`/users/alice/feed.${format}`, `/tags/tea.${format}`]) {
      const { root, entries, source } = await read(path);
      expect(source).not.toContain('<script');
      expect(textOf(entries[0]!, 'title')).toBe(EVIL);
      const content = textOf(entries[0]!, format === 'rss' ? 'description' : 'content');
      expect(content).toContain('&lt;script&gt;');
      expect(content).not.toContain('<script');
      if (path.startsWith('/users')) expect(textOf(root, 'title')).toBe(`${EVIL} (@alice@svc.test)`);
    }
  });
});

it('works under any brand', async () => {
  const branded = await startApp({ COMPAT_BRAND: 'acme' });
  try {
    await branded.world.persons('alice');
    const media = await upload(branded, 'alice');
    await post(branded, 'alice', 'hello', { media_ids: [media.id] });
    const answer = await branded.http.get('/users/alice/feed.atom').buffer(true).responseType('text').expect(200);
    expect(String(answer.body)).toMatch(/<title>hello<\/title>.*rel="enclosure"[^>]* type="image\//s);
  } finally {
    await branded.close();
  }
});
