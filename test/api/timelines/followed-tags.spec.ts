import { BlocksService, FollowsService } from '../../../src/accounts/index.js';
import type { StatusJson } from '../../../src/statuses/index.js';
import { FeedRepairService } from '../../../src/timelines/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['reader', 'alice', 'bob', 'carol'] });
let reader: Client;

beforeEach(async () => {
  reader = await app.world.as('reader');
  await app.sql(`insert into hashtags (name) values ('tea'), ('fog')`);
});

const id = (nickname: string) => app.world.id(nickname);
const plain = (entry: StatusJson) => (entry.reblog ?? entry).content.replace(/<[^>]+>/g, '');
const home = async (query = {}) => (await ok<StatusJson[]>(reader.get('/api/v1/timelines/home', query))).map(plain);
const turn = async (verb: 'follow' | 'unfollow', tag = 'tea') => {
  await reader.post(`/api/v1/tags/${tag}/${verb}`).expect(200);
  await app.drain();
};
const stored = async () =>
  (
    await app.sql<{ text: string }>(
      `select s.content_text as text from home_feed h join statuses s on s.id = h.status_id
       where h.account_id = $1 order by h.status_id desc`,
      [id('reader')],
    )
  ).map(({ text }) => text);
const liftFloor = () => app.sql(`update users set feed_floor = '~' where account_id = $1`, [id('reader')]);

describe('the home timeline of a reader who follows a tag', () => {
  it('lists public posts with the tag by authors who are not followed', async () => {
    await turn('follow');
    await post(app, 'alice', 'open #tea');
    await post(app, 'alice', 'quiet #tea', { visibility: 'unlisted' });
    await post(app, 'alice', 'for friends #tea', { visibility: 'private' });
    await post(app, 'alice', 'here #tea', { visibility: 'local' });
    await post(app, 'alice', 'other #fog');
    const reblogged = await post(app, 'bob', 'by bob');
    await reblog(app, 'alice', reblogged.id);
    await app.drain();
    expect(await stored()).toEqual(['open #tea']);
    expect(await home()).toEqual(['open #tea']);
    await liftFloor();
    expect(await home()).toEqual(['open #tea']);
  });

  it('gains older posts with the follow and loses them with the unfollow, before and after the jobs', async () => {
    await app.world.follow('reader', 'bob');
    await post(app, 'alice', 'both #tea #fog');
    await post(app, 'bob', 'by bob #tea');
    await post(app, 'reader', 'mine #tea');
    await post(app, 'carol', 'old #tea');
    await app.drain();
    expect(await home()).toEqual(['mine #tea', 'by bob #tea']);
    await turn('follow');
    expect(await home()).toEqual(['old #tea', 'mine #tea', 'by bob #tea', 'both #tea #fog']);
    await turn('follow', 'fog');
    await reader.post('/api/v1/tags/tea/unfollow').expect(200);
    expect(await home()).toEqual(['mine #tea', 'by bob #tea', 'both #tea #fog']);
    await app.drain();
    expect(await stored()).toEqual(['mine #tea', 'by bob #tea', 'both #tea #fog']);
    await app.get(FollowsService).unfollow(id('reader'), id('bob'));
    await turn('unfollow', 'fog');
    expect(await stored()).toEqual(['mine #tea']);
  });

  it('keeps posts with the tag after an unfollow of the author, and after an unblock', async () => {
    await app.world.follow('reader', 'alice');
    await turn('follow');
    await post(app, 'alice', 'with #tea');
    await post(app, 'alice', 'without');
    await app.drain();
    expect(await home()).toEqual(['without', 'with #tea']);
    await app.get(FollowsService).unfollow(id('reader'), id('alice'));
    await app.drain();
    expect(await home()).toEqual(['with #tea']);
    await app.get(BlocksService).block(id('reader'), id('alice'));
    await app.drain();
    expect(await home()).toEqual([]);
    await app.get(BlocksService).unblock(id('reader'), id('alice'));
    await app.drain();
    expect(await home()).toEqual(['with #tea']);
  });

  it.each(['above', 'below'])('obeys blocks, mutes and domain blocks %s the floor of the feed', async (where) => {
    await turn('follow');
    const { svc } = await post(app, 'alice', 'hers #tea');
    await post(app, 'alice', '@bob hello #tea');
    await app.drain();
    if (where === 'below') await liftFloor();
    expect(await home()).toHaveLength(2);
    await app.get(BlocksService).mute(id('reader'), id('bob'));
    expect(await home()).toEqual(['hers #tea']);
    await app.sql('insert into thread_mutes (account_id, conversation_id) values ($1, $2)', [
      id('reader'),
      svc.conversation_id,
    ]);
    expect(await home()).toEqual([]);
    await app.sql('delete from thread_mutes');
    await app.sql('delete from mutes');
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'far.test')`, [id('reader')]);
    await app.sql(`update accounts set domain = 'far.test' where id = $1`, [id('alice')]);
    expect(await home()).toEqual([]);
    await app.sql('delete from domain_blocks');
    await app.get(BlocksService).block(id('alice'), id('reader'));
    expect(await home({ with_muted: true })).toEqual([]);
  });

  it('shows no boost beside the post itself', async () => {
    await app.world.follow('reader', 'bob');
    await turn('follow');
    const tagged = await post(app, 'alice', 'hers #tea');
    await reblog(app, 'bob', tagged.id);
    await app.drain();
    expect(await home()).toEqual(['hers #tea']);
    await liftFloor();
    expect(await home()).toEqual(['hers #tea']);
  });

  it('lists each post once below the floor, even when other authors post much more', async () => {
    await app.world.follow('reader', 'bob');
    await turn('follow');
    await turn('follow', 'fog');
    await post(app, 'alice', 'first #tea #fog');
    await post(app, 'bob', 'second #tea');
    await makeStatuses(app, 'carol', 2_001);
    await post(app, 'bob', 'third #fog');
    await liftFloor();
    expect(await home()).toEqual(['third #fog', 'second #tea', 'first #tea #fog']);
    expect(await home({ min_id: '0' })).toEqual(['third #fog', 'second #tea', 'first #tea #fog']);
  });

  it('is repaired when posts with the tag are missing', async () => {
    await turn('follow');
    await post(app, 'alice', 'hers #tea');
    await app.drain();
    await app.sql('delete from home_feed');
    await app.sql(`update followed_tags set created_at = now() - interval '1 day'`);
    await app.sql(`update statuses set created_at = now() - interval '1 day'`);
    expect(await app.get(FeedRepairService).check({ fix: false })).toBe(1);
    expect(await app.get(FeedRepairService).check({ fix: true })).toBe(1);
    expect(await app.get(FeedRepairService).check({ fix: false })).toBe(0);
    expect(await stored()).toEqual(['hers #tea']);
  });

  it('loses a deleted post before and after the jobs', async () => {
    await turn('follow');
    const { id: gone } = await post(app, 'alice', 'hers #tea');
    await app.drain();
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${gone}`).expect(200);
    expect(await home()).toEqual([]);
    await app.drain();
    expect(await app.sql('select from home_feed')).toEqual([]);
  });

  it('merges as many posts as a feed holds, raises the floor, and continues below it', async () => {
    const posts = await makeStatuses(app, 'alice', 810);
    await app.sql(`update statuses set flags = 16`);
    await app.sql(
      `insert into status_hashtags select p, h.id from unnest($1::text[]) p, hashtags h where name = 'tea'`,
      [posts],
    );
    await turn('follow');
    expect(await app.sql('select from home_feed where account_id = $1', [id('reader')])).toHaveLength(800);
    const entries = await ok<StatusJson[]>(reader.get('/api/v1/timelines/home', { max_id: posts[15], limit: 40 }));
    expect(entries.map((entry) => entry.id)).toEqual(posts.slice(0, 15).reverse());
  });
});
