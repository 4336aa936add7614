import { MAX_COUNTED } from '../../src/common/index.js';
import { NotificationTrimService } from '../../src/notifications/dispatch/notification-trim.service.js';
import { LISTED_TYPES } from '../../src/notifications/model/notification.types.js';
import { makeConversations, makeStatuses } from '../support/fixtures/factories.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const PEOPLE = 6_000;
const CHAT = 'chat'.padEnd(18, '0');
/** SQL: the id of stranger `n`. */
const STRANGER = `'stranger' || lpad(n::text, 12, '0')`;
const stranger = (n: number) => `stranger${String(n).padStart(12, '0')}`;
const OWN = '/api/v1/accounts/verify_credentials';
/** Above all ids of notifications. */
const LAST = '9223372036854775807';
/** Rows that one statement changes. */
const SLICE = 1_000;

const app = useApp({ people: ['alice', 'bob'] });
let client: Client;
let alice: string;
let post: string;

// Everybody has favourited one of alice's posts today.
beforeEach(async () => {
  client = await app.world.as('alice');
  alice = app.world.id('alice');
  [post = ''] = await makeStatuses(app, 'alice', 1);
  await app.sql(
    `insert into accounts (id, nickname, ap_id) select ${STRANGER}, 's' || n, 'https://svc.test/' || n from generate_series(1, $1) n`,
    [PEOPLE],
  );
  await app.sql('insert into account_stats (account_id) select id from accounts on conflict do nothing');
  await notify('favourite', post);
});

/** Notifies alice once by each stranger. */
async function notify(type: string, statusId: string | null): Promise<void> {
  await app.sql(
    `insert into notifications (receiver_id, from_id, type, status_id, created_at)
     select $1, ${STRANGER}, $3, $4, '2024-05-01' from generate_series(1, $2) n order by n`,
    [alice, PEOPLE, type, statusId],
  );
}

/** A chat in which a stranger sent very many messages to alice. */
async function makeChat(): Promise<void> {
  await app.sql(`insert into chats (id, owner_id, partner_id, position) values ($2, $1, $3, $2)`, [
    alice,
    CHAT,
    stranger(1),
  ]);
  await app.sql(
    `with sent as (
       insert into chat_messages (id, uri, sender_id, recipient_id, content)
       select ${STRANGER}, 'https://x.test/' || n, $4, $1, 'tea' from generate_series(1, $2) n returning id)
     insert into chat_entries (chat_id, message_id, unread) select $3, id, true from sent`,
    [alice, PEOPLE, CHAT, stranger(1)],
  );
}

describe('counts of what strangers sent', () => {
  it('end at 1,000 unread notifications, also where the newest are hidden', async () => {
    const marker = { notifications: { last_read_id: '0' } };
    expect(await ok(client.post('/api/v1/markers', marker))).toMatchObject({
      notifications: { svc: { unread_count: MAX_COUNTED } },
    });
    expect(await ok(client.get(OWN))).toMatchObject({ svc: { unread_notifications_count: MAX_COUNTED } });
    await app.sql(
      `insert into blocks (account_id, target_id) select $1, ${STRANGER} from generate_series(3001, 6000) n`,
      [alice],
    );
    expect(await ok(client.get(OWN))).toMatchObject({ svc: { unread_notifications_count: MAX_COUNTED } });
  });

  it('look at no more than the newest 5,000 notifications', async () => {
    const counted = [alice, LISTED_TYPES, null, MAX_COUNTED];
    expect(await rowsRead(app, 'notifications.unread_with_chats', counted)).toBeLessThan(PEOPLE);
    await notify('svc:chat_mention', null);
    expect(await rowsRead(app, 'notifications.unread', counted)).toBeLessThan(PEOPLE);
    expect(
      await rowsRead(app, 'notifications.unread_groups', [alice, ['favourite'], LISTED_TYPES, null, false, 100]),
    ).toBeLessThan(PEOPLE);
  });

  it('end at 1,000 notifications of a group, whose newest are its sample', async () => {
    const groups = await ok<{ notification_groups: object[] }>(client.get('/api/v2/notifications'));
    const newest = Array.from({ length: 8 }, (_, n) => stranger(PEOPLE - n));
    expect(groups.notification_groups).toEqual([
      expect.objectContaining({ notifications_count: MAX_COUNTED, sample_account_ids: newest }),
    ]);
    await app.sql(`delete from notifications where from_id <> all($1::text[])`, [[stranger(7), stranger(8)]]);
    const few = await ok<{ notification_groups: object[] }>(client.get('/api/v2/notifications'));
    expect(few.notification_groups).toEqual([
      expect.objectContaining({ notifications_count: 2, sample_account_ids: [stranger(8), stranger(7)] }),
    ]);
  });

  it('end at 1,000 filtered notifications of a sender', async () => {
    await app.sql(`update notifications set filtered = true, from_id = $1, type = 'poll', status_id = null`, [
      app.world.id('bob'),
    ]);
    await app.sql('insert into notification_requests (receiver_id, from_id) values ($1, $2)', [
      alice,
      app.world.id('bob'),
    ]);
    expect(await ok(client.get('/api/v1/notifications/requests'))).toMatchObject([
      { notifications_count: `${MAX_COUNTED}` },
    ]);
    expect(await rowsRead(app, 'notification_requests.page.older', [alice, '99999999', '0', 40])).toBeLessThan(PEOPLE);
  });

  it('end at 1,000 requests to follow', async () => {
    await app.sql(
      `insert into follows (follower_id, followee_id, state) select ${STRANGER}, $1, 0 from generate_series(1, $2) n`,
      [alice, PEOPLE],
    );
    expect(await ok(client.get(OWN))).toMatchObject({ follow_requests_count: MAX_COUNTED });
    expect(await rowsRead(app, 'accounts.own', [alice])).toBeLessThan(2 * MAX_COUNTED);
  });

  it('end at 1,000 unread conversations', async () => {
    await makeConversations(app, 'bob', 'alice', MAX_COUNTED + 100);
    expect(await ok(client.get(OWN))).toMatchObject({ svc: { unread_conversation_count: MAX_COUNTED } });
  });

  it('end at 1,000 unread messages of a chat', async () => {
    await makeChat();
    expect(await ok(client.get('/api/v1/svc/chats'))).toMatchObject([{ id: CHAT, unread: MAX_COUNTED }]);
  });
});

describe('notifications by strangers', () => {
  const unread = () => app.sql('select from notifications where not seen and receiver_id = $1', [alice]);

  it('are read up to one in slices, by name and by the marker', async () => {
    const [newest, next] = await app.sql<{ id: string }>('select id from notifications order by id desc limit 2');
    const read = await ok<{ id: string }[]>(client.post('/api/v1/svc/notifications/read', { max_id: next!.id }));
    expect(read).toHaveLength(80);
    expect(read[0]!.id).toBe(next!.id);
    expect(await unread()).toHaveLength(1);
    await app.sql('update notifications set seen = false');
    expect(await ok(client.post('/api/v1/markers', { notifications: { last_read_id: newest!.id } }))).toMatchObject({
      notifications: { svc: { unread_count: 0 } },
    });
    expect(await unread()).toEqual([]);
    await app.sql('update notifications set seen = false');
    expect(await rowsRead(app, 'notifications.read_up_to', [alice, newest!.id])).toBeLessThan(PEOPLE);
  });

  it('are trimmed at night by receivers, whatever the rest of the table holds', async () => {
    const receivers = () => rowsRead(app, 'notifications.receivers', ['']);
    const before = await receivers();
    await notify('poll', null);
    expect(await receivers()).toBe(before);
    await app.sql('update notifications set created_at = now()');
    await app.get(NotificationTrimService).trim();
    expect(await app.sql('select count(*)::int from notifications')).toEqual([{ count: 5_000 }]);
  });

  it('are cleared in slices, and only those of the caller', async () => {
    const bob = app.world.id('bob');
    await app.sql(`insert into notifications (receiver_id, from_id, type) values ($1, $2, 'poll')`, [bob, alice]);
    expect(await rowsRead(app, 'notifications.clear', [alice, LAST])).toBeLessThan(PEOPLE);
    await ok(client.post('/api/v1/notifications/clear'));
    expect(await app.sql('select receiver_id from notifications')).toEqual([{ receiver_id: bob }]);
  });

  it('are dismissed as a group in slices', async () => {
    const [group] = await app.sql<{ key: string }>('select distinct group_key as key from notifications');
    expect(await rowsRead(app, 'notifications.remove_group', [alice, group!.key, LAST, false])).toBeLessThan(PEOPLE);
    expect(
      await rowsRead(app, 'notifications.group_accounts_by_key.older', [alice, group!.key, LAST, '0', 40]),
    ).toBeLessThan(SLICE);
    const dismiss = () => client.post(`/api/v2/notifications/${group!.key}/dismiss`);
    await ok(dismiss());
    expect(await app.sql('select from notifications')).toHaveLength(PEOPLE - SLICE);
    await notify('poll', post);
    await app.drain();
    expect(await app.sql('select distinct type from notifications')).toEqual([{ type: 'poll' }]);
    await dismiss().expect(404);
  });

  describe('that are filtered', () => {
    const REQUESTS = '/api/v1/notifications/requests';
    const filtered = () => app.sql<{ id: string }>('select id from notifications where filtered order by id');
    let ids: string[];

    // All are by two senders in turn. Bob has as many by others.
    beforeEach(async () => {
      await app.sql(
        `update notifications set filtered = true, type = 'poll', status_id = null,
           from_id = case when id % 2 = 0 then $1 else $2 end`,
        [stranger(1), stranger(2)],
      );
      await app.sql(
        `insert into notifications (receiver_id, from_id, type) select $1, ${STRANGER}, 'poll' from generate_series(3, $2) n`,
        [app.world.id('bob'), PEOPLE],
      );
      const requests = await app.sql<{ id: string }>(
        'insert into notification_requests (receiver_id, from_id) values ($1, $2), ($1, $3) returning id',
        [alice, stranger(1), stranger(2)],
      );
      ids = requests.map(({ id }) => id);
    });

    it.each(['unfilter', 'remove_filtered'])('are decided on in slices: %s', async (statement) => {
      const values = [alice, [stranger(1), stranger(2)], LAST];
      expect(await rowsRead(app, `notification_requests.${statement}`, values)).toBeLessThan(PEOPLE);
    });

    it('are all listed when the requests are accepted, the newest at once', async () => {
      const newest = (await filtered()).slice(-SLICE);
      await ok(client.post(`${REQUESTS}/accept`, { id: ids }));
      const listed = await app.sql('select id from notifications where not filtered and receiver_id = $1 order by id', [
        alice,
      ]);
      expect(listed).toEqual(newest);
      await app.drain();
      expect(await filtered()).toEqual([]);
    });

    it('are all removed when the requests are dismissed, and none that comes later', async () => {
      await ok(client.post(`${REQUESTS}/dismiss`, { id: ids }));
      expect(await filtered()).toHaveLength(PEOPLE - SLICE);
      const [later] = await app.sql(
        `insert into notifications (receiver_id, from_id, type, filtered) values ($1, $2, 'poll', true) returning id`,
        [alice, stranger(1)],
      );
      await app.drain();
      expect(await filtered()).toEqual([later]);
    });
  });
});

describe('conversations and chats with strangers', () => {
  it('are all read, the latest conversations at once', async () => {
    const [latest, ...older] = (await makeConversations(app, 'bob', 'alice', 2 * SLICE + 100)).reverse();
    expect(await rowsRead(app, 'conversations.read_up_to', [alice, '~'])).toBeLessThanOrEqual(3 * SLICE);
    const read = await ok<{ last_status: { id: string } }[]>(client.post('/api/v1/svc/conversations/read'));
    expect(read.map(({ last_status }) => last_status.id)).toEqual([latest, ...older.slice(0, 79)]);
    const unread = () => app.sql('select from conversation_participants where unread');
    expect(await unread()).toHaveLength(SLICE + 100);
    await app.sql('update conversation_participants set unread = true where last_status_id = $1', [latest]);
    await app.drain();
    expect(await unread()).toHaveLength(1);
  });

  it('are read up to a message', async () => {
    await makeChat();
    expect(await rowsRead(app, 'chats.read', [CHAT, stranger(PEOPLE)])).toBeLessThanOrEqual(3 * SLICE);
    await ok(client.post(`/api/v1/svc/chats/${CHAT}/read`, { last_read_id: stranger(PEOPLE - 1) }));
    const unread = () => app.sql('select message_id as id from chat_entries where unread');
    expect(await unread()).toHaveLength(PEOPLE - SLICE);
    await app.drain();
    expect(await unread()).toEqual([{ id: stranger(PEOPLE) }]);
  });
});
