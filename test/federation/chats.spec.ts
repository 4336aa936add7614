import type { ChatJson, ChatMessageJson } from '../../src/chats/index.js';
import { addEmoji } from '../support/fixtures/emoji.js';
import { ok } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import { type Actor, type Cast, type Member, startCast } from '../support/federation/servers.js';

const CHATS = '/api/v1/svc/chats';

let pair: Cast;
let alice: Member;
let bob: Member;

beforeAll(async () => {
  pair = await startCast();
  ({ alice, bob } = pair);
});
afterAll(() => pair.close());
beforeEach(async () => {
  for (const server of [pair.alpha, pair.beta]) await server.sql('delete from chats');
});

const open = async (owner: Member, other: Actor) =>
  ok<ChatJson>(owner.post(`${CHATS}/by-account-id/${await owner.idOf(other)}`));
const list = (owner: Member) => ok<ChatJson[]>(owner.get(CHATS));
async function say(author: Member, other: Actor, values: Record<string, unknown>): Promise<ChatMessageJson> {
  const { id } = await open(author, other);
  const sent = await ok<ChatMessageJson>(author.post(`${CHATS}/${id}/messages`, values));
  await pair.settle();
  return sent;
}

describe('a chat between two servers', () => {
  it('carries text, emoji and a file both ways', async () => {
    await addEmoji(pair.alpha, 'tea');
    const { id: media } = await upload(pair.alpha, 'alice');
    const sent = await say(alice, bob, { content: '<i>two\nlines</i> :tea:', media_id: media });
    expect(await list(bob)).toMatchObject([
      {
        account: { acct: alice.handle },
        unread: 1,
        last_message: {
          content: '&lt;i&gt;two<br>lines&lt;/i&gt; :tea:',
          emojis: [{ shortcode: 'tea' }],
          attachment: { type: 'image', remote_url: sent.attachment?.url },
          unread: true,
        },
      },
    ]);
    await say(bob, alice, { content: 'milk' });
    expect(await list(alice)).toMatchObject([{ unread: 1, last_message: { content: 'milk' } }]);
    expect(await list(bob)).toHaveLength(1);
    const told = await ok<unknown[]>(bob.get('/api/v1/notifications', { include_types: ['svc:chat_mention'] }));
    expect(told).toMatchObject([{ account: { acct: alice.handle } }]);
  });

  it('removes a message that its sender deletes', async () => {
    const { id, chat_id: chat } = await say(alice, bob, { content: 'oops' });
    await ok(alice.delete(`${CHATS}/${chat}/messages/${id}`));
    await pair.settle();
    expect(await list(bob)).toMatchObject([{ unread: 0, last_message: null }]);
  });

  it('delivers nothing to an account that blocks the sender', async () => {
    await ok(bob.post(`/api/v1/accounts/${await bob.idOf(alice)}/block`));
    await say(alice, bob, { content: 'tea?' }).catch(() => pair.settle());
    await ok(bob.post(`/api/v1/accounts/${await bob.idOf(alice)}/unblock`));
    expect(await list(bob)).toEqual([]);
    await pair.settle();
  });

  it('refuses messages to an account that accepts no chat messages', async () => {
    await ok(pair.erin.patch('/api/v1/accounts/update_credentials', { accepts_chat_messages: false }));
    const { id } = await open(alice, pair.erin);
    await alice.post(`${CHATS}/${id}/messages`, { content: 'tea?' }).expect(403);
  });
});
