import { BlocksService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { idsOf, readFeed } from '../../support/fixtures/feeds.js';
import { post, reblog } from '../../support/fixtures/statuses.js';

const NOT_FOUND = { error: 'Not found' };

const app = useApp({ people: ['alice', 'bob'] });

const read = (path: string) => readFeed(app, path);

describe('a feed', () => {
  const FEEDS = ['/users/alice/feed.atom', '/users/alice/feed.rss', '/tags/tea.atom', '/tags/tea.rss'];

  it('V5 shows only public posts to every caller, and unlisted ones too when it is of an account', async () => {
    await app.world.follow('bob', 'alice');
    const open = await post(app, 'alice', '#tea for all');
    for (const visibility of ['private', 'direct', 'local']) {
      await post(app, 'alice', `@bob psst #tea ${visibility}`, { visibility });
    }
    const unlisted = await post(app, 'alice', '#tea for who looks', { visibility: 'unlisted' });
    const bob = await app.world.as('bob');
    for (const path of FEEDS) {
      expect(idsOf(await read(path))).toEqual([...(path.startsWith('/users') ? [unlisted.uri] : []), open.uri]);
      const answer = await bob.get(path).buffer(true).responseType('text').expect(200);
      expect(String(answer.body)).not.toContain('psst');
    }
  });

  it('V5 has replies, but no boosts: neither of public nor of private posts', async () => {
    const theirs = await post(app, 'bob', 'a #tea');
    await reblog(app, 'alice', theirs.id);
    const own = await post(app, 'alice', 'hidden', { visibility: 'private' });
    await reblog(app, 'alice', own.id);
    const answer = await post(app, 'alice', '@bob indeed', { in_reply_to_id: theirs.id, visibility: 'public' });
    expect(idsOf(await read('/users/alice/feed.atom'))).toEqual([answer.uri]);
  });

  it('V15 answers 404 for deactivated, unconfirmed, unapproved, remote and unknown accounts', async () => {
    await app.world.remote('zoe', 'far.test');
    const expectGone = async (...names: string[]) => {
      for (const name of names) {
        for (const rest of ['feed', 'feed.atom', 'feed.rss']) {
          await app.http.get(`/users/${name}/${rest}`).expect(404, NOT_FOUND);
        }
      }
    };
    await post(app, 'alice', 'my #tea');
    await expectGone('nobody', 'zoe', 'zoe@far.test', app.world.id('zoe@far.test'));
    const id = app.world.id('alice');
    for (const column of ['is_confirmed', 'is_approved']) {
      await app.sql(`update users set ${column} = false where account_id = $1`, [id]);
      await expectGone('alice');
      await app.sql(`update users set ${column} = true where account_id = $1`, [id]);
    }
    await read('/users/alice/feed.rss');
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id]);
    await expectGone('alice', id);
    await app.http.get('/tags/tea.rss').expect(404, NOT_FOUND);
  });

  it('is the same for every viewer: blocks change nothing', async () => {
    const { uri } = await post(app, 'alice', 'my #tea');
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('bob'), {});
    const answer = await (await app.world.as('bob')).get('/users/alice/feed.rss').buffer(true).responseType('text');
    expect(String(answer.body)).toContain(uri);
  });

  const RESTRICTIONS = [
    ['instance.public', false, 404, 404],
    ['restrict_unauthenticated.profiles', { local: true, remote: false }, 404, 200],
    ['restrict_unauthenticated.profiles', { local: false, remote: true }, 200, 200],
    ['restrict_unauthenticated.timelines', { local: false, federated: true }, 200, 404],
    ['restrict_unauthenticated.activities', { local: false, remote: true }, 200, 200],
  ] as const;
  it.each(RESTRICTIONS)(
    'V17 with the setting %s %j returns %d for an account and %d for a tag',
    async (path, value, one, tag) => {
      await post(app, 'alice', 'my #tea');
      await app.get(SettingsService).update([{ path, value }]);
      try {
        for (const feed of FEEDS) {
          const answer = await app.http.get(feed);
          expect({ feed, status: answer.status }).toEqual({ feed, status: feed.startsWith('/users') ? one : tag });
        }
      } finally {
        await app.get(SettingsService).reset(path);
      }
    },
  );

  it('V17 is empty where local posts are for members only', async () => {
    await post(app, 'alice', 'my #tea');
    const path = 'restrict_unauthenticated.activities';
    await app.get(SettingsService).update([{ path, value: { local: true, remote: false } }]);
    expect((await read('/users/alice/feed.rss')).entries).toEqual([]);
    await app.http.get('/tags/tea.rss').expect(404);
    await app.get(SettingsService).reset(path);
  });
});
