import type { AttachmentJson } from '../../../src/media/index.js';
import { newKey, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';
import { proxyOn } from '../../support/servers/proxied.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
type Json = Readonly<Record<string, unknown>>;

/** Pictures that stand for videos and recordings of other servers. */
describe('The preview of a file', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let mo: string;
  let turn = 0;

  beforeAll(async () => {
    ada = await app.world.as('ada');
    mo = peer.actor('mo', newKey()).uri;
  });

  async function shown(object: Json): Promise<AttachmentJson> {
    const path = `/objects/${(turn += 1)}`;
    const common = { type: 'Note', attributedTo: mo, content: 'look', to: [PUBLIC] };
    peer.answers.set(path, { id: peer.url + path, ...common, ...object });
    const { body } = await ada.get('/api/v2/search', { q: peer.url + path, resolve: true }).expect(200);
    const { media_attachments: files } = (body as { statuses: [{ media_attachments: AttachmentJson[] }] }).statuses[0];
    return files[0]!;
  }
  const film = { type: 'Document', mediaType: 'video/mp4', url: 'https://far.test/a.mp4' };
  const sound = { ...film, mediaType: 'audio/mpeg' };
  const own = { type: 'Video', name: 'film', url: [{ type: 'Link', mediaType: 'video/mp4', href: film.url }] };
  const image = (name: string, more: Json = {}) => ({ type: 'Image', url: `https://far.test/${name}.jpg`, ...more });

  it.each<[string, Json, string]>([
    ['a video with an icon', { attachment: { ...film, icon: image('icon') } }, 'icon.jpg'],
    ['a recording with an icon', { attachment: { ...sound, icon: image('icon') } }, 'icon.jpg'],
    ['a video with the address of one', { attachment: { ...film, icon: 'https://far.test/icon.jpg' } }, 'icon.jpg'],
    ['a video with a preview', { attachment: { ...film, preview: image('preview') } }, 'preview.jpg'],
    ['a post that is a video', { ...own, icon: image('icon') }, 'icon.jpg'],
    [
      'one with icons of several sizes',
      { ...own, icon: [image('s', { width: 9 }), image('l', { width: 90 })] },
      'l.jpg',
    ],
    ['one with pictures of its scenes', { ...own, preview: image('scenes', { rel: ['storyboard'] }) }, 'a.mp4'],
    ['one with an icon of a foolish kind', { ...own, icon: image('x', { url: 'javascript:alert(1)' }) }, 'a.mp4'],
    ['a video without any', { attachment: film }, 'a.mp4'],
    ['a picture', { attachment: { ...film, mediaType: 'image/png', icon: image('icon') } }, 'a.mp4'],
  ])('of %s is the picture that its server names', async (_what, object, name) => {
    expect(await shown(object)).toMatchObject({ url: film.url, preview_url: `https://far.test/${name}` });
  });

  it('is served by the proxy, like the file', async () => {
    await proxyOn(app, { 'media_preview_proxy.enabled': true });
    const { preview_url: preview } = await shown({ attachment: { ...film, icon: image('icon') } });
    expect(preview).toMatch(new RegExp(`^${app.env.baseUrl}/proxy/preview/.*/icon[.]jpg$`));
  });
});
