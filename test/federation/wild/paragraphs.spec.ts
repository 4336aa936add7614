import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

type Json = Readonly<Record<string, unknown>>;

/** Mastodon shows the hashtags at the end below a post, and takes them out of its last paragraph. */
describe('A post of this server', () => {
  const app = useApp({ once: [] });
  let alice: Client;

  beforeAll(async () => {
    await app.world.person('alice');
    alice = await app.world.as('alice');
  });

  const tag =
    '<a class="mention hashtag" data-tag="tea" href="https://svc.test/tag/tea" rel="tag ugc">#<span>Tea</span></a>';

  it.each([
    ['text/plain', 'a\nb\n\n#Tea', `<p>a<br>b</p><p>${tag}</p>`],
    ['text/markdown', 'a\nb\n\n#Tea', `<p>a<br>b</p><p>${tag}</p>`],
    ['text/bbcode', '[b]a[/b]\nb\n\n#Tea', `<p><strong>a</strong><br>b</p><p>${tag}</p>`],
    ['text/bbcode', '[quote]a[/quote]\n#Tea', `<blockquote>a</blockquote><p>${tag}</p>`],
    ['text/html', '<b>a</b><br>b<br><br>#Tea', `<p><b>a</b><br>b</p><p>${tag}</p>`],
    ['text/html', '<h2>a</h2>b<p>#Tea</p>', `<p><strong>a</strong></p><p>b</p><p>${tag}</p>`],
  ])('in %s has its hashtags in its last paragraph on every server: %j', async (contentType, status, content) => {
    const made = await alice.post('/api/v1/statuses', { status, content_type: contentType }).expect(200);
    const post = made.body as Json;
    expect(post['content']).toBe(content);
    const answer = await app.http
      .get(new URL(post['uri'] as string).pathname)
      .set('accept', 'application/activity+json')
      .expect(200);
    expect((answer.body as Json)['content']).toBe(content);
    expect(post['tags']).toEqual([{ name: 'tea', url: 'https://svc.test/tag/tea' }]);
  });
});
