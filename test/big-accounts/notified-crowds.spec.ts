import { NotificationDispatcher } from '../../src/notifications/dispatch/notification-dispatcher.js';
import { makeLocalFollowers } from '../support/fixtures/factories.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { countQueries } from '../support/queries.js';
import { useApp } from '../support/servers/app.js';

/** A unit of work notifies 500 receivers. */
const RANGE = 500;
const CROWD = 2 * RANGE + 100;

const app = useApp({ once: ['alice', 'bob'] });
const id = (nickname: string) => app.world.id(nickname);

beforeAll(() => makeLocalFollowers(app, 'alice', CROWD, true));

const voters = (statusId: string) =>
  app.sql(
    `insert into poll_votes (poll_id, account_id, choices)
     select p.id, f.follower_id, '{0}' from polls p, follows f where p.status_id = $1
     on conflict do nothing`,
    [statusId],
  );
const reblogs = (statusId: string) =>
  app.sql(
    `insert into statuses (id, uri, author_id, reblog_of_id, visibility, local, created_at)
     select 'boost' || substr(follower_id, 4), 'https://svc.test/boosts/' || follower_id, follower_id, $1, 0, true, now()
     from follows on conflict do nothing`,
    [statusId],
  );

describe('a cause that notifies more accounts than a unit of work does', () => {
  it.each<[cause: string, type: string, act: (notify: NotificationDispatcher, statusId: string) => Promise<void>]>([
    ['a post', 'status', (notify, statusId) => notify.ofPost({ statusId })],
    [
      'an edit',
      'update',
      async (notify, statusId) => {
        await reblogs(statusId);
        const facts = {
          statusId,
          authorId: id('alice'),
          local: true,
          visibility: 0,
          mentionedIds: [],
          pollChanged: false,
          former: { visibility: 0, tags: [], hasMedia: false },
        };
        await notify.ofEdit({ ...facts, version: 2, isRevision: true, joinsTag: false });
      },
    ],
    [
      'the end of a poll',
      'poll',
      async (notify, statusId) => {
        await voters(statusId);
        await app.sql('update polls set closed = true');
        await notify.ofPoll({ statusId });
      },
    ],
    [
      'a move',
      'move',
      async (notify) => {
        await app.sql('update accounts set moved_to_id = $2 where id = $1', [id('alice'), id('bob')]);
        await notify.ofMove(id('alice'), id('bob'));
      },
    ],
  ])('%s notifies each once, in ranges', async (_cause, type, act) => {
    const poll = { options: ['tea', 'milk'], expires_in: 3_600 };
    const { id: statusId } = await post(app, 'alice', 'tea?', { poll });
    await app.sql('delete from notifications');
    const notify = app.get(NotificationDispatcher);
    const { statements } = await countQueries(() => act(notify, statusId));
    expect(statements.filter((name) => name.startsWith('notifications.notify_range_of'))).toHaveLength(3);
    const received = () =>
      app.sql(
        `select type, count(*)::int, count(distinct receiver_id)::int as receivers from notifications
         where receiver_id like 'fan%' group by type`,
      );
    expect(await received()).toEqual([{ type, count: CROWD, receivers: CROWD }]);
    await act(notify, statusId); // the job runs again
    expect(await received()).toEqual([{ type, count: CROWD, receivers: CROWD }]);
    await ok((await app.world.as('alice')).delete(`/api/v1/statuses/${statusId}`));
  });
});
