import type { ChatMessageJson } from '../../../src/chats/index.js';
import { cavageHeaders, newKey, type RawActor, usePeer } from '../../support/federation/raw-peer.js';
import { useApp } from '../../support/servers/app.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const MAX_HTML_BYTES = 65_536;
const HOSTILE = ['&', '[', '*a_', '<p><b>', '<a href="https://x.example/">x</a> '];

describe('F22 long texts of other servers', () => {
  const peer = usePeer();
  const app = useApp({ once: ['ada'], env: () => ({ ALLOWED_PRIVATE_ADDRESSES: peer.host }) });
  let mo: RawActor;
  let ada: string;
  let numbers = 0;

  beforeAll(() => {
    ada = `${app.env.baseUrl}/users/ada`;
    mo = peer.actor('mo', newKey());
  });

  async function create(object: object): Promise<string> {
    const id = `${mo.uri}/objects/${(numbers += 1)}`;
    const whole = { id, attributedTo: mo.uri, to: [PUBLIC, ada], ...object };
    const { to } = whole;
    const body = JSON.stringify({ id: `${id}#create`, type: 'Create', actor: mo.uri, to, object: whole });
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
    await app.drain();
    return id;
  }
  const stored = (uri: string) =>
    app.sql<{ bytes: number; html: string }>(
      'select octet_length(content_html) as bytes, content_html as html from statuses where uri = $1',
      [uri],
    );

  it.each(HOSTILE.flatMap((seed) => ['text/html', 'text/markdown'].map((mediaType) => [mediaType, seed] as const)))(
    'are stored as %s within 64 kB: %j',
    async (mediaType, seed) => {
      const content = seed.repeat(99_000 / seed.length);
      const [post] = await stored(await create({ type: 'Note', content, mediaType }));
      expect(post?.bytes).toBeGreaterThan(100);
      expect(post?.bytes).toBeLessThanOrEqual(MAX_HTML_BYTES);
    },
  );

  it('keep their formatting', async () => {
    const content = '<p>Tea is <em>good</em></p>'.repeat(500);
    const [post] = await stored(await create({ type: 'Article', name: 'Tea', content }));
    expect(post?.html).toMatch(/^<p><a href="[^"]*"[^>]*>Tea<\/a><\/p><p>Tea is <em>good<\/em><\/p>/);
    expect(post?.html.split('<em>')).toHaveLength(501);
  });

  it('change with edits', async () => {
    const uri = await create({ type: 'Note', content: '<p>tea</p>' });
    const object = { id: uri, type: 'Note', attributedTo: mo.uri, to: [PUBLIC], content: '&'.repeat(99_000) };
    const body = JSON.stringify({ id: `${uri}#update`, type: 'Update', actor: mo.uri, to: [PUBLIC], object });
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
    await app.drain();
    const [post] = await stored(uri);
    expect(post?.html).toBe('&amp;'.repeat(Math.floor(MAX_HTML_BYTES / 5)));
  });

  it('are cut in profiles', async () => {
    const path = new URL(mo.uri).pathname;
    const long = '&'.repeat(8_000);
    const fields = Array.from({ length: 40 }, () => ({ type: 'PropertyValue', name: long, value: long }));
    peer.answers.set(path, {
      ...(await peer.answers.get(path)),
      name: long,
      summary: '[<b>'.repeat(20_000),
      attachment: fields,
    });
    const body = JSON.stringify({
      id: `${mo.uri}#update`,
      type: 'Update',
      actor: mo.uri,
      object: { id: mo.uri, type: 'Person' },
    });
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
    await app.drain();
    const [account] = await app.sql<{ note_html: string; fields: { value: string }[]; display_name: string }>(
      'select note_html, fields, display_name from accounts where ap_id = $1',
      [mo.uri],
    );
    expect(Buffer.byteLength(account?.note_html ?? '')).toBeLessThanOrEqual(MAX_HTML_BYTES);
    expect(account?.display_name).toBe('&'.repeat(500));
    expect(account?.fields).toHaveLength(20);
    expect(account?.fields[0]?.value).toBe('&amp;'.repeat(2_000));
  });

  it('arrive in chats as their text', async () => {
    const reader = await app.world.as('ada');
    const content = `<p>tea &amp; milk</p>${'<b></b>'.repeat(120_000)}`;
    await create({ type: 'ChatMessage', to: [ada], content });
    const { body: chats } = await reader.get('/api/v1/svc/chats').expect(200);
    const [chat] = chats as { last_message: ChatMessageJson }[];
    expect(chat?.last_message.content).toBe('tea &amp; milk');
  });
});
