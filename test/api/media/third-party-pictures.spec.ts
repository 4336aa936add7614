import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { readPage, type ReadPage } from '../../support/pages.js';
import { proxyOn } from '../../support/servers/proxied.js';
import { TEST_STORAGE } from '../../support/servers/stored-files.js';
import { post } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';

const THIRD = 'https://third.example';
const MEDIA = 'https://media.svc.test';
/** MEDIA_URL is a bucket's own address with S3, and the server's without. */
const PROXY = TEST_STORAGE === 's3' ? 'https://svc.test/proxy/' : `${MEDIA}/proxy/`;

const app = useApp({ people: ['alice'], env: { MEDIA_URL: MEDIA } });
let notice: string;

/** A post with remote pictures, and a reply by an account with remote pictures. */
beforeEach(async () => {
  const own = await upload(app, 'alice');
  const note = `me <img src="${THIRD}/bio.png" alt="my cat">`;
  await app.sql('update accounts set note_html = $1', [note]);
  const { id } = await post(
    app,
    'alice',
    `<img src="${THIRD}/a.png?b&c" alt="a &quot;cup&quot;"><img src="${THIRD}/b.png">
    <a href="https://elsewhere.example"><img src="${THIRD}/c.png" alt="inside"></a>`,
    {
      content_type: 'text/html',
      media_ids: [own.id],
    },
  );
  notice = `/notice/${id}`;
  const zoe = (await app.world.remote('zoe', 'third.example')).id;
  await app.sql(`update accounts set avatar_url = $2, display_name = 'Zoe :tea:', emojis = $3 where id = $1`, [
    zoe,
    `${THIRD}/zoe.png`,
    JSON.stringify([{ shortcode: 'tea', url: `${THIRD}/tea.png`, static_url: `${THIRD}/tea.png` }]),
  ]);
  const [answer] = (await makeStatuses(app, 'alice', 1)) as [string];
  await app.sql(
    `update statuses set local = false, author_id = $2, in_reply_to_id = $3, version = version + 1, flags = flags | 1,
       conversation_id = (select conversation_id from statuses where id = $3) where id = $1`,
    [answer, zoe, id],
  );
  await app.sql(
    `insert into attachments (account_id, status_id, position, type, mime_type, remote_url, description)
     select $1, $2, n, kind, mime, $3 || name, name
     from (values (1, 'image', 'image/png', '/file.png'), (2, 'video', 'video/mp4', '/video.mp4')) as files(n, kind, mime, name)`,
    [zoe, answer, THIRD],
  );
});

/** The addresses that a browser loads automatically on a page. */
const loadedBy = ({ text }: ReadPage) =>
  Array.from(text.matchAll(/<(?:img|video|audio|source|iframe|script)\b[^>]*\ssrc="([^"]*)"/g), ([, url = '']) => url);
const policyOf = ({ headers }: ReadPage, directive: string) =>
  new RegExp(`${directive} ([^;]*)`).exec(headers['content-security-policy'] ?? '')?.[1]?.split(' ');

describe('pictures of third parties on pages for visitors', () => {
  it('become links while the media proxy is off', async () => {
    for (const path of ['/@alice', notice]) {
      const page = await readPage(app, path);
      expect(loadedBy(page).filter((url) => !/^(\/|https:\/\/(media\.)?svc\.test\/)/.test(url))).toEqual([]);
      expect(loadedBy(page)).toContainEqual(expect.stringMatching(/^https:\/\/media\.svc\.test\/media\//));
      expect(policyOf(page, 'img-src')).toEqual(["'self'", 'data:', 'https://svc.test', MEDIA]);
      expect(policyOf(page, 'media-src')).toEqual(["'self'", 'https://svc.test', MEDIA]);
    }
    const { text } = await readPage(app, notice);
    const linked = (url: string, words: string) => `<a href="${THIRD}${url}" rel="nofollow noopener ugc">${words}</a>`;
    expect(text).toContain(linked('/a.png?b&amp;c', 'a &quot;cup&quot;'));
    expect(text).toContain(linked('/b.png', `${THIRD}/b.png`));
    expect(text).toMatch(/<a href="https:\/\/elsewhere\.example"[^>]*>inside<\/a>/);
    expect(text).toContain('Zoe :tea:');
    for (const name of ['/file.png', '/video.mp4']) expect(text).toContain(`<a href="${THIRD}${name}">${name}</a>`);
    expect((await readPage(app, '/@alice')).text).toContain(linked('/bio.png', 'my cat'));
  });

  it('load from this server while the media proxy is on', async () => {
    await proxyOn(app);
    const page = await readPage(app, notice);
    expect(loadedBy(page).filter((url) => url.startsWith(PROXY)).length).toBeGreaterThanOrEqual(6);
    expect(loadedBy(page).filter((url) => url.includes('third.example'))).toEqual([]);
    expect(page.text).toMatch(/<bdi>Zoe <img class="emoji"/);
  });

  it('load directly from trusted hosts', async () => {
    await proxyOn(app, { 'media_proxy.whitelist': ['third.example'] });
    const page = await readPage(app, notice);
    expect(loadedBy(page)).toContain(`${THIRD}/b.png`);
    expect(policyOf(page, 'img-src')).toContain(`${THIRD}:*`);
  });
});

it.each(['/', '/@alice', '/@nobody', '/api/v1/instance', '/api/v1/nothing', '/.well-known/nodeinfo', '/api/docs'])(
  'the policy of %s says where forms may be sent and loads nothing by default',
  async (path) => {
    const { headers } = await app.http.get(path).set('accept', 'text/html');
    const policy = headers['content-security-policy'] as string;
    expect(policy).toMatch(/(^|;)form-action '(self|none)'(;|$)/);
    expect(policy).toContain("default-src 'none'");
  },
);
