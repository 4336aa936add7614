// Chats: 2,000 local accounts, of which the first has a chat with all others.

export const title = 'Chats and their messages';

export const rows = '2,000 accounts, 1,999 chats of one of them, 400,000 messages, of which one chat has 200,000.';

export const seed = `
  insert into accounts (id, nickname, ap_id)
  select 'a' || lpad(n::text, 6, '0'), 'n' || n, 'https://x.test/' || n from generate_series(1, 2000) n;
  insert into account_stats (account_id) select id from accounts;
  insert into users (account_id, password_hash) select id, '' from accounts;
  insert into chats (id, owner_id, partner_id, position)
  select 'c' || lpad(n::text, 8, '0'), 'a000001', 'a' || lpad((n + 1)::text, 6, '0'), '' from generate_series(1, 1999) n;
  insert into chat_messages (id, uri, sender_id, recipient_id, content)
  select 'm' || lpad(n::text, 8, '0'), 'https://x.test/m/' || n, 'a000002', 'a000001', 'tea' from generate_series(1, 400000) n;
  insert into chat_entries (chat_id, message_id, unread)
  select case when n <= 200000 then 'c00000001' else 'c' || lpad((n % 1998 + 2)::text, 8, '0') end,
    'm' || lpad(n::text, 8, '0'), n % 20 = 0
  from generate_series(1, 400000) n;
  update chats c set position = coalesce((select max(message_id) from chat_entries e where e.chat_id = c.id), c.id);
`;

const ME = 'a000001';
const CHAT = 'c00000001';

export const plans = [
  { name: 'chats.page.older', values: [ME, false, '~', '', 40, 0], note: 'Of an account with thousands of them.' },
  { name: 'chats.messages.older', values: [ME, CHAT, '~', '', 40], note: 'Of a chat with 200,000.' },
  { name: 'chats.messages.older', values: [ME, CHAT, 'm00100000', '', 40], note: 'Further down.' },
  { name: 'chats.read', values: [CHAT, '~'], note: 'Of 10,000 unread messages: it writes a thousand rows.' },
  { name: 'chats.for_staff', values: [ME] },
  { name: 'chats.message', values: [ME, CHAT, 'm00000007', false] },
  { name: 'chats.messages_by_ids', values: [ME, ['m00000007', 'm00000008']] },
  { name: 'chats.with_messages', values: [['m00000007', 'm00000008']] },
  { name: 'notifications.unread_with_chats', values: [ME, ['mention'], null, 1000] },
];
