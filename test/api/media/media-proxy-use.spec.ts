import type { AccountJson } from '../../../src/accounts/index.js';
import { type AttachmentJson, MediaBansService, MediaUrls } from '../../../src/media/index.js';
import type { EmojiJson } from '../../../src/emoji/index.js';
import type { PreviewCardJson, PollJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { runCtl } from '../../support/servers/ctl.js';
import { expectNothingKept, forgetFiles, gifOf, proxied, proxyOn, sending } from '../../support/servers/proxied.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;
/** A new account for each test: bodies are cached by id. */
let zoe = 'zoe0';

beforeEach(async () => {
  await forgetFiles(app);
  await set({ 'media_proxy.enabled': false });
  await app.world.person('alice');
  zoe = `zoe${Number(zoe.slice(3)) + 1}`;
  web = await startWebHost();
});
afterEach(() => web.close());

const set = (settings: Parameters<typeof proxyOn>[1]) => proxyOn(app, settings);
const shown = (url: string) => app.get(MediaUrls).remote(url);
const ADDRESS = /^https:\/\/svc\.test\/proxy\/[\w-]{27}\/[\w-]+\/[\w.]+$/;

describe('addresses of remote files', () => {
  const account = () => ok<AccountJson>(app.http.get(`/api/v1/accounts/${zoe}@b.example`));
  async function makeZoe(): Promise<void> {
    const { id } = await app.world.remote(zoe, 'b.example');
    await app.sql(
      `update accounts set avatar_url = 'https://b.example/a.png', header_url = 'https://b.example/h.png',
         background_url = 'https://b.example/b.png' where id = $1`,
      [id],
    );
    await app.sql(
      `insert into remote_instances (domain, favicon_url) values ('b.example', 'https://b.example/favicon.ico')
       on conflict (domain) do update set favicon_url = excluded.favicon_url`,
    );
  }
  const pictures = ({ avatar, avatar_static, header, header_static, svc }: AccountJson) => [
    avatar,
    avatar_static,
    header,
    header_static,
    svc.background_image,
    svc.favicon,
  ];

  it('point to the proxy once it is on: profile pictures', async () => {
    await makeZoe();
    const origins = ['a.png', 'a.png', 'h.png', 'h.png', 'b.png', 'favicon.ico'].map(
      (name) => `https://b.example/${name}`,
    );
    expect(pictures(await account())).toEqual(origins);
    await proxyOn(app);
    const addresses = pictures(await account());
    expect(addresses).toEqual(origins.map(shown));
    for (const address of addresses) expect(address).toMatch(ADDRESS);
    await set({ 'media_preview_proxy.enabled': true });
    const [avatar, still] = pictures(await account());
    expect([avatar, still]).toEqual([
      shown('https://b.example/a.png'),
      `${shown('https://b.example/a.png').replace('/proxy/', '/proxy/preview/')}?static=true`,
    ]);
    await set({ 'media_proxy.enabled': false });
    expect(pictures(await account())).toEqual(origins);
  });

  it('point to the proxy: attachments, also of bodies cached before', async () => {
    const { id } = await post(app, 'alice', 'look');
    await app.sql('update statuses set flags = flags | 1, version = version + 1 where id = $1', [id]);
    await app.sql(
      `insert into attachments (account_id, status_id, position, type, mime_type, remote_url)
       select $1, $2, n, kind, mime, 'https://b.example/' || name
       from (values (1, 'image', 'image/png', 'a.png'), (2, 'video', 'video/mp4', 'b.mp4'), (3, 'audio', 'audio/mpeg', 'c.mp3'))
         as files(n, kind, mime, name)`,
      [app.world.id('alice'), id],
    );
    const files = async () =>
      (await ok<{ media_attachments: AttachmentJson[] }>(app.http.get(`/api/v1/statuses/${id}`))).media_attachments;
    const origins = ['a.png', 'b.mp4', 'c.mp3'].map((name) => `https://b.example/${name}`);
    expect((await files()).map(({ url }) => url)).toEqual(origins);
    await set({ 'media_proxy.enabled': true, 'media_preview_proxy.enabled': true });
    const found = await files();
    expect(found.map(({ url }) => url)).toEqual(origins.map(shown));
    expect(found.map(({ text_url }) => text_url)).toEqual(origins.map(shown));
    expect(found.map(({ remote_url }) => remote_url)).toEqual(origins);
    expect(found.map(({ preview_url }) => preview_url?.includes('/proxy/preview/'))).toEqual([true, true, undefined]);
    await set({ 'media_preview_proxy.enabled': false });
    const previews = [...origins.slice(0, 2).map(shown), null];
    expect((await files()).map(({ preview_url }) => preview_url)).toEqual(previews);
  });

  it('point to the proxy: custom emoji in texts', async () => {
    await makeZoe();
    const origin = 'https://b.example/cup.png?a=1&b=2';
    const written = (url: string) => `<img src="${url.replaceAll('&', '&amp;')}" alt="src=&quot;x&quot;">`;
    const { id, uri } = await post(app, 'alice', `look ${written(origin)}`, { content_type: 'text/html' });
    const alice = await app.world.as('alice');
    await alice.put(`/api/v1/statuses/${id}`, { status: `see ${written(origin)}` }).expect(200);
    await app.sql('update accounts set note_html = $2, version = version + 1 where id = $1', [
      app.world.id(`${zoe}@b.example`),
      written(origin),
    ]);
    const texts = async () => [
      ...(await ok<{ content: string }[]>(app.http.get(`/api/v1/statuses/${id}/history`))),
      await ok<{ content: string }>(app.http.get(`/api/v1/statuses/${id}`)),
      { content: (await account()).note },
    ];
    for (const { content } of await texts()) expect(content).toContain(written(origin));
    await proxyOn(app);
    for (const { content } of await texts()) expect(content).toContain(written(shown(origin)));
    const document = await app.http.get(new URL(uri).pathname).set('Accept', 'application/activity+json').expect(200);
    expect((document.body as { content: string }).content).toContain(written(origin));
  });

  it('point to the proxy: emoji of other servers everywhere', async () => {
    await makeZoe();
    await app.world.person('bob');
    const { id } = await post(app, 'alice', ':cat:', { poll: { options: [':cat:', 'no'], expires_in: 600 } });
    const cat = { shortcode: 'cat', url: 'https://b.example/cat.gif', static_url: 'https://b.example/cat.png' };
    await app.sql('update accounts set emojis = $2::jsonb where id = $1', [
      app.world.id(`${zoe}@b.example`),
      JSON.stringify([cat]),
    ]);
    await app.sql('update statuses set local = false, emojis = $2::jsonb, version = version + 1 where id = $1', [
      id,
      JSON.stringify([cat]),
    ]);
    await app.sql(`insert into reactions (account_id, status_id, name, url) values ($1, $2, 'cat@b.example', $3)`, [
      app.world.id('bob'),
      id,
      cat.url,
    ]);
    await app.sql('update status_stats set reactions = 1 where status_id = $1', [id]);
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, status_id, emoji)
       values ($1, 'svc:emoji_reaction', $2, $3, 'cat@b.example')`,
      [app.world.id('alice'), app.world.id('bob'), id],
    );
    const alice = await app.world.as('alice');
    const found = async () => {
      const status = await ok(alice.get(`/api/v1/statuses/${id}`));
      const poll = await ok<PollJson>(alice.get(`/api/v1/polls/${status.poll!.id}`));
      const [reaction] = await ok<{ url: string }[]>(alice.get(`/api/v1/svc/statuses/${id}/reactions`));
      const [revision] = await ok<{ emojis: EmojiJson[] }[]>(alice.get(`/api/v1/statuses/${id}/history`));
      const [told] = await ok<{ emoji_url: string }[]>(alice.get('/api/v1/notifications'));
      const lists = [(await account()).emojis, status.emojis, status.poll!.emojis, poll.emojis, revision!.emojis];
      const pictures = lists.flatMap((list) => list.flatMap(({ url, static_url }) => [url, static_url]));
      return [...pictures, status.svc.emoji_reactions[0]!.url, reaction!.url, told!.emoji_url];
    };
    const origins = [...Array.from({ length: 5 }, () => [cat.url, cat.static_url]).flat(), cat.url, cat.url, cat.url];
    expect(await found()).toEqual(origins);
    await proxyOn(app);
    expect(await found()).toEqual(origins.map(shown));
    expect(shown(cat.url)).toMatch(ADDRESS);
  });

  it('point to the proxy: the picture of a card', async () => {
    const tags = '<meta property="og:image" content="https://b.example/a.png"><meta property="og:url" content="/tea">';
    web.page('/tea', `<title>Tea</title>${tags}`);
    const { id } = await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    const card = async () => (await ok<{ card: PreviewCardJson }>(app.http.get(`/api/v1/statuses/${id}`))).card;
    expect((await card()).image).toBe('https://b.example/a.png');
    await proxyOn(app);
    const { image, svc, url } = await card();
    const address = shown('https://b.example/a.png');
    expect([image, svc.opengraph, url]).toEqual([
      address,
      { 'og:image': address, 'og:url': `${web.origin}/tea` },
      `${web.origin}/tea`,
    ]);
    expect((await ok<PreviewCardJson>(app.http.get(`/api/v1/statuses/${id}/card`))).image).toBe(address);
    expect(address).toMatch(ADDRESS);
  });

  it('stay direct: local files, trusted hosts and other schemes', async () => {
    const file = await upload(app, 'alice');
    await set({ 'media_proxy.enabled': true, 'media_preview_proxy.enabled': true });
    const alice = await app.world.as('alice');
    expect(await ok<AttachmentJson>(alice.get(`/api/v1/media/${file.id}`))).toEqual(file);
    await set({ 'media_proxy.whitelist': ['cdn.example', 'b.example:8443'] });
    for (const url of [
      'https://svc.test/media/ab/c.png',
      'https://cdn.example/a.png',
      'https://CDN.example:444/a.png',
      'https://b.example:8443/a.png',
      'data:image/gif;base64,R0lGODlh',
      'ftp://b.example/a.png',
      'javascript:alert(1)',
      'nothing',
    ]) {
      expect(shown(url)).toBe(url);
    }
    for (const url of ['https://b.example/a.png', 'http://b.example/a.png', 'https://cdn.example.evil.test/a.png']) {
      expect(shown(url)).toMatch(ADDRESS);
    }
    await set({ 'media_proxy.base_url': 'https://files.test' });
    expect(shown('https://b.example/a.png')).toMatch(/^https:\/\/files\.test\/proxy\//);
    expect(shown('https://files.test/a.png')).toBe('https://files.test/a.png');
  });

  it('are never proxied in ActivityPub documents', async () => {
    await proxyOn(app);
    const urls = app.get(MediaUrls);
    const remote = { fileKey: null, remoteUrl: 'https://b.example/a.png' };
    expect([urls.originOf(remote), urls.absolute('https://b.example/a.png')]).toEqual([
      'https://b.example/a.png',
      'https://b.example/a.png',
    ]);
  });

  it('are announced to apps', async () => {
    const features = async () =>
      (await ok<{ metadata: { features: string[] } }>(app.http.get('/nodeinfo/2.1.json'))).metadata.features;
    expect(await features()).not.toContain('media_proxy');
    await proxyOn(app);
    expect(await features()).toContain('media_proxy');
  });
});

describe('a banned file', () => {
  const url = () => `${web.origin}/cat.gif`;
  const status = async () => (await app.http.get(proxied(app, url()))).status;
  const bans = () => app.get(MediaBansService);
  const ctl = (...args: string[]) => runCtl(app.variables, ...args);
  beforeEach(async () => {
    await proxyOn(app);
    web.at('/cat.gif', sending(gifOf(100)));
  });

  it('is neither shown nor cached until the ban is lifted', async () => {
    expect(await status()).toBe(200);
    await set({ 'media_preview_proxy.enabled': true });
    await bans().ban([`${url()}#top`, url()]);
    expect(await status()).toBe(404);
    await expectNothingKept(app);
    const preview = proxied(app, url()).replace('/proxy/', '/proxy/preview/');
    expect((await app.http.get(preview)).status).toBe(404);
    expect(web.asked()).toEqual(['/cat.gif']);
    await bans().unban([url()]);
    expect([await status(), web.asked()]).toEqual([200, ['/cat.gif']]);
  });

  it('is found by a part of its URL', async () => {
    const names = ['a', 'b_c', 'b%20c'].map((name) => `https://b.example/${name}.png`);
    for (const name of names) await bans().ban([name]);
    await bans().ban(names);
    expect(await bans().page('', 2, 0)).toEqual({ urls: [names[2], names[1]], count: 3 });
    expect(await bans().page('', 2, 2)).toEqual({ urls: [names[0]], count: 3 });
    expect(await bans().page('B_C', 50, 0)).toEqual({ urls: [names[1]], count: 1 });
    expect(await bans().page('%', 50, 0)).toEqual({ urls: [names[2]], count: 1 });
  });

  it('is named by its URL or its proxy address only', async () => {
    await bans().ban([`https://svc.test${proxied(app, url())}`]);
    expect((await bans().page('', 50, 0)).urls).toEqual([url()]);
    for (const wrong of ['', 'cat.gif', 'file:///etc/passwd', 'https://']) {
      await expect(bans().ban(['https://b.example/x.png', wrong])).rejects.toThrow(`Not a URL: ${wrong}`);
    }
    expect((await bans().page('', 50, 0)).count).toBe(1);
  });

  it('is fetched again after a purge, also after a failure', async () => {
    web.at('/cat.gif');
    expect(await status()).toBe(404);
    web.at('/cat.gif', sending(gifOf(100)));
    expect(await status()).toBe(404);
    await bans().purge([url()]);
    expect(await status()).toBe(200);
    await bans().purge([url()]);
    await expectNothingKept(app);
  });

  it('is dropped by a purge during its download', async () => {
    let answer = () => undefined as unknown;
    const begun = new Promise<void>((begin) =>
      web.at('/cat.gif', (_request, response) => {
        response.setHeader('content-type', 'image/gif').write(gifOf(100));
        answer = () => response.end(gifOf(100));
        begin();
      }),
    );
    const asked = status();
    await begun;
    await bans().purge([url()]);
    answer();
    expect(await asked).toBe(200);
    await expectNothingKept(app);
  });

  it('is banned by an operator command, and the running server follows', async () => {
    expect(await status()).toBe(200);
    expect(await ctl('media', 'proxy', 'ban', url())).toMatchObject({ code: 0, err: '' });
    expect(await status()).toBe(404);
    expect((await ctl('media', 'proxy', 'banned', '--query', 'cat')).out).toBe(`${url()}\n1 file is banned.`);
    expect(JSON.parse((await ctl('media', 'proxy', 'banned', '--json')).out)).toEqual({ urls: [url()], count: 1 });
    expect(await ctl('media', 'proxy', 'unban', url())).toMatchObject({ code: 0, err: '' });
    expect(await ctl('media', 'proxy', 'unban', url())).toMatchObject({ code: 1, err: `${url()} is not banned.` });
    await app.drain();
    web.at('/cat.gif');
    expect(await status()).toBe(404);
    web.at('/cat.gif', sending(gifOf(100)));
    expect(await ctl('media', 'proxy', 'purge', url())).toMatchObject({ code: 0, err: '' });
    await app.drain();
    expect(await status()).toBe(200);
    expect(await ctl('media', 'proxy', 'ban', 'cat.gif')).toMatchObject({ code: 1, err: 'Not a URL: cat.gif' });
  });
});
