import { ChatsService } from '../../src/chats/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { makeChat, makeChats } from '../support/fixtures/chats.js';
import { picture } from '../support/fixtures/media-files.js';
import { ok } from '../support/fixtures/statuses.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const LIST = '/app/chats';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});

interface ApiMessage {
  readonly id: string;
  readonly content: string | null;
  readonly attachment: { readonly description: string } | null;
}

const as = (name: string) => app.world.as(name);
const at = (chat: string) => `${LIST}/${chat}`;
const messages = async (chat: string) =>
  ok<ApiMessage[]>((await as('alice')).get(`/api/v1/svc/chats/${chat}/messages`));
const unread = async (chat: string) =>
  (await ok<{ unread: number }>((await as('alice')).get(`/api/v1/svc/chats/${chat}`))).unread;
const messagesOn = ({ text }: { readonly text: string }) =>
  Array.from(text.matchAll(/id="message-(\w+)"/g), ([, id]) => id);

/** Sends the form of a chat with a file, as browsers do. */
async function sendFile(chat: string, fields: Readonly<Record<string, string>>, file: Buffer) {
  await visit.get(at(chat));
  const cookies = [...visit['cookies']].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = app.http.post(at(chat)).set({ cookie: cookies, origin: 'https://svc.test', accept: 'text/html' });
  for (const [name, value] of Object.entries({ _csrf: visit.field('_csrf')!, ...fields }))
    void request.field(name, value);
  return request.attach('file', file, 'tea.png');
}

describe('the list of chats', () => {
  it('shows the newest message and the number of unread ones, and changes nothing', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    for (let n = 0; n < 2; n += 1) {
      const words = wordsOf(await visit.get(LIST));
      expect(words).toMatch(/bob.*psst.*1 new/);
      await visit.get(at(chat));
    }
    expect(await unread(chat)).toBe(1);
  });

  it('has the number of chats with unread messages in the navigation of all pages, as the API counts them', async () => {
    const shown = async () => {
      const [, count] = /href="\/app\/chats"[^>]*>\s*Chats\s*<span class="count" data-unread\s*(?:hidden)?>(\d+)/.exec(
        (await visit.get('/app/bookmarks')).text,
      )!;
      const { svc } = await ok<{ svc: { unread_chats_count: number } }>(
        (await as('alice')).get('/api/v1/accounts/verify_credentials'),
      );
      expect(svc.unread_chats_count).toBe(Number(count));
      return Number(count);
    };
    expect(await shown()).toBe(0);
    const { chat, message } = await makeChat(app, 'alice', 'bob');
    await makeChat(app, 'alice', 'bob');
    await makeChat(app, 'alice', 'carol');
    expect(await shown()).toBe(2);
    await visit.get(at(chat));
    await visit.press(`${at(chat)}/read`, { last_read_id: message });
    expect(await shown()).toBe(2);
    await ok((await as('alice')).post(`/api/v1/accounts/${app.world.id('carol')}/mute`));
    expect(await shown()).toBe(1);
    await visit.get(at(chat));
    await visit.press(`${at(chat)}/read`);
    expect(await shown()).toBe(0);
  });

  it('leads from page to page', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    await makeChats(app, app.world.id('alice'), [app.world.id('carol')], chat);
    const first = await visit.get(LIST, { limit: '1' });
    const next = /rel="next" href="([^"]+)"/.exec(first.text)![1]!;
    const chats = [first, await visit.get(`${LIST}${next}`)].map(({ text }) => /\/app\/chats\/(\w+)#/.exec(text)![1]);
    const listed = await ok<{ id: string }[]>((await as('alice')).get('/api/v1/svc/chats'));
    expect(chats).toEqual(listed.map(({ id }) => id));
  });
});

describe('the page of a chat', () => {
  it('shows messages newest last, and older ones page by page', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    const expected = (await messages(chat)).map(({ id }) => id);
    for (const content of ['one', 'two']) {
      const { ref } = await app.get(ChatsService).post(chat, app.world.id('alice'), { content });
      expected.push(ref);
    }
    const newest = await visit.get(at(chat), { limit: '2' });
    expect(messagesOn(newest)).toEqual(expected.slice(1));
    const next = /rel="next" href="([^"]+)"/.exec(newest.text)![1]!;
    expect(messagesOn(await visit.get(next))).toEqual(expected.slice(0, 1));
  });

  it('shows markup as plain text', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    await visit.get(at(chat));
    await visit.submit({ content: '<script>alert(1)</script>\n"two"' });
    const { text } = await visit.get(at(chat));
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;<br>');
  });

  it('is hidden from all other accounts', async () => {
    const { chat, message } = await makeChat(app, 'bob', 'carol');
    expect((await visit.get(at(chat))).status).toBe(404);
    expect((await visit.get(at('nothing'))).status).toBe(404);
    await visit.get(LIST);
    const _csrf = visit.field('_csrf')!;
    for (const path of [at(chat), `${at(chat)}/read`, `${at(chat)}/messages/${message}/delete`])
      expect([path, (await visit.post(path, { _csrf, content: 'hi', last_read_id: message })).status]).toEqual([
        path,
        404,
      ]);
    expect(await app.get(ChatsService).message(chat, message, app.world.id('bob'))).toMatchObject({ unread: true });
  });
});

describe('the form of a chat', () => {
  it('sends a message, and marks those above as read', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    await visit.get(at(chat));
    const sent = await visit.submit({ content: 'hello' });
    expect([sent.status, sent.headers['location']]).toEqual([303, `${at(chat)}#newest`]);
    expect((await messages(chat)).map(({ content }) => content)).toEqual(['hello', 'psst']);
    expect(await unread(chat)).toBe(0);
  });

  it('sends a file with its description', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    const sent = await sendFile(chat, { description: 'a cup' }, await picture());
    expect(sent.status).toBe(303);
    expect(await messages(chat)).toMatchObject([{ content: null, attachment: { description: 'a cup' } }, {}]);
  });

  it('shows the reason of a failure, and keeps the text and the file', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    const refused = await sendFile(chat, { content: `too <long>${'!'.repeat(5_000)}` }, await picture());
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text).toMatch(/>\n?too &lt;long&gt;!{5000}<\/textarea>/);
    const fileId = /name="media_id" value="(\d+)"/.exec(refused.text)![1]!;
    expect(await unread(chat)).toBe(1);
    await visit.get(at(chat));
    await visit.submit({ content: 'short', media_id: fileId });
    expect(await messages(chat)).toMatchObject([{ content: 'short', attachment: { id: fileId } }, {}]);
  });

  it('is missing for accounts that accept no messages', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    await ok((await as('bob')).patch('/api/v1/accounts/update_credentials', { accepts_chat_messages: false }));
    const { text } = await visit.get(at(chat));
    expect(text).toContain('does not want chat messages');
    expect(text).not.toContain('<textarea');
  });
});

describe('the buttons of a chat', () => {
  it('mark it as read', async () => {
    const { chat, message } = await makeChat(app, 'alice', 'bob');
    await visit.get(at(chat));
    await visit.press(`${at(chat)}/read`, { last_read_id: message });
    expect(await unread(chat)).toBe(0);
    expect((await visit.get(at(chat))).text).not.toContain(`${at(chat)}/read`);
  });

  it('delete an own message for both sides', async () => {
    const chats = app.get(ChatsService);
    const { chat, message } = await makeChat(app, 'bob', 'alice');
    const own = await chats.open(app.world.id('alice'), app.world.id('bob'));
    await visit.get(at(own));
    await visit.press(`${at(own)}/messages/${message}/delete`);
    expect(await messages(own)).toEqual([]);
    await expect(chats.message(chat, message, app.world.id('bob'))).rejects.toThrow();
  });

  it('open the chat with an account', async () => {
    const { chat } = await makeChat(app, 'alice', 'bob');
    await visit.get(LIST);
    const _csrf = visit.field('_csrf')!;
    const open = (id: string) => visit.post(`/app/people/${id}/chat`, { _csrf });
    expect((await open(app.world.id('bob'))).headers['location']).toBe(`${at(chat)}#newest`);
    expect((await open('nothing')).status).toBe(404);
    const own = await open(app.world.id('alice'));
    expect([own.status, own.text.includes('role="alert"')]).toEqual([400, true]);
  });
});
