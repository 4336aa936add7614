import { UsersService } from '../../../src/accounts/index.js';
import type { ChatMessageJson } from '../../../src/chats/index.js';
import { makeChat } from '../../support/fixtures/chats.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const ADMIN = '/api/v1/svc/admin';

const app = useApp({ once: ['alice', 'bob'] });
let root: Client;

beforeAll(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
});

const messages = (id: string, query: Record<string, unknown> = {}) =>
  ok<ChatMessageJson[]>(root.get(`${ADMIN}/chats/${id}/messages`, query));

describe('chats of other accounts (spec §4.1.8)', () => {
  it('are shown with both accounts and their messages, and a message is deleted for both', async () => {
    const { chat, message } = await makeChat(app, 'alice', 'bob');
    const shown = { id: chat, sender: { acct: 'alice' }, receiver: { acct: 'bob' }, last_message: { id: message } };
    expect(await ok<unknown>(root.get(`${ADMIN}/chats/${chat}`))).toMatchObject(shown);
    expect(await ok<unknown>(root.get(`${ADMIN}/users/alice/chats`))).toMatchObject([shown]);
    expect(await ok<unknown>(root.get(`${ADMIN}/users/${app.world.id('alice')}/chats`))).toMatchObject([shown]);
    expect(await messages(chat)).toMatchObject([{ id: message, content: 'psst', account_id: app.world.id('bob') }]);
    expect(await messages(chat, { max_id: message })).toEqual([]);

    const deleted = await ok<ChatMessageJson>(root.delete(`${ADMIN}/chats/${chat}/messages/${message}`));
    expect(deleted).toMatchObject({ id: message, content: 'psst' });
    expect(await messages(chat)).toEqual([]);
    const bob = await app.world.as('bob');
    expect(await ok<unknown[]>(bob.get('/api/v1/svc/chats'))).toMatchObject([{ last_message: null }]);
    const rows = await app.sql('select message from moderation_log');
    expect(rows).toEqual([{ message: `@root deleted chat message #${message}` }]);
  });

  it('are shown, and their messages deleted, while one of the accounts is deactivated', async () => {
    const { chat, message } = await makeChat(app, 'alice', 'bob');
    await app.get(UsersService).setActive(app.world.id('bob'), false);
    expect(await messages(chat)).toMatchObject([{ id: message }]);
    await ok(root.delete(`${ADMIN}/chats/${chat}/messages/${message}`));
    expect(await messages(chat)).toEqual([]);
    await app.get(UsersService).setActive(app.world.id('bob'), true);
  });

  it('lead to 404 when they do not exist', async () => {
    for (const path of ['chats/AAAAAAAAAAAAAAAAAA', 'chats/AAAAAAAAAAAAAAAAAA/messages', 'users/nobody/chats'])
      await root.get(`${ADMIN}/${path}`).expect(404);
    const { chat } = await makeChat(app, 'alice', 'bob');
    await root.delete(`${ADMIN}/chats/${chat}/messages/AAAAAAAAAAAAAAAAAA`).expect(404);
  });
});

describe('banned files of other servers (spec §4.1.7)', () => {
  const CACHES = `${ADMIN}/media_proxy_caches`;
  const urls = ['https://far.test/a.png', 'https://far.test/b.png'];

  it('can be banned, found by a part of their address in pages, and allowed again', async () => {
    await ok(root.post(`${CACHES}/purge`, { urls, ban: true }));
    await ok(root.post(`${CACHES}/purge`, { urls: ['https://far.test/c.png'] }));
    const page = (query: object) => ok<{ urls: string[] }>(root.get(CACHES, { ...query }));
    expect(await page({})).toMatchObject({ page_size: 50, count: 2 });
    expect((await page({})).urls.sort()).toEqual(urls);
    expect(await page({ query: 'b.png' })).toMatchObject({ count: 1, urls: [urls[1]] });
    expect((await page({ page: 2, page_size: 1 })).urls).toHaveLength(1);
    await ok(root.post(`${CACHES}/delete`, { urls: [urls[0]] }));
    expect(await page({})).toMatchObject({ count: 1, urls: [urls[1]] });
    await root.post(`${CACHES}/purge`, { urls: ['nope'], ban: true }).expect(400);
  });

  it('are named in each request', async () => {
    for (const path of ['purge', 'delete'])
      for (const body of [{}, { urls: [] }])
        expect((await root.post(`${CACHES}/${path}`, body).expect(400)).body).toEqual({ error: 'urls is missing' });
  });
});
