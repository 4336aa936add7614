import { BlocksService, FollowsService } from '../../../src/accounts/index.js';
import {
  EditsService,
  ModeratedStatusesService,
  RemoteStatusesService,
  type StatusJson,
} from '../../../src/statuses/index.js';
import { FeedRepairService } from '../../../src/timelines/index.js';
import { ok, post, reblog, remoteStatus } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: ['reader', 'bob', 'carol'] });
const id = (nickname: string) => app.world.id(nickname);
const home = async () => {
  const reader = await app.world.as('reader');
  return (await ok<StatusJson[]>(reader.get('/api/v1/timelines/home'))).map((entry) => entry.id);
};

beforeEach(async () => {
  await app.world.follow('reader', 'bob');
  await (await app.world.as('reader')).post('/api/v1/tags/tea/follow').expect(200);
  await app.drain();
});

/** Each returns the entry that the home timeline has in the end. */
const changes: Record<string, () => Promise<string>> = {
  'an edit that adds a followed tag': async () => {
    const { id: hers } = await post(app, 'carol', 'hers');
    await app.drain();
    await app.get(EditsService).edit(hers, id('carol'), { text: 'hers #tea' });
    return hers;
  },
  'an edit elsewhere that adds a followed tag': async () => {
    const { id: authorId } = await app.world.remote('author', 'far.test');
    const plain = remoteStatus({ uri: 'https://far.test/notes/1', authorId });
    const written = await app.get(RemoteStatusesService).create(plain);
    await app.drain();
    await app.get(RemoteStatusesService).edit({ ...plain, tags: ['tea'], editedAt: new Date() });
    return String(written?.statusId);
  },
  'staff that makes a post with a followed tag public': async () => {
    const { id: hers } = await post(app, 'carol', 'quiet #tea', { visibility: 'private' });
    await app.drain();
    await app.get(ModeratedStatusesService).change(hers, { visibility: 'public' });
    return hers;
  },
  'the end of a block of the author of a boosted post': async () => {
    const boost = await reblog(app, 'bob', (await post(app, 'carol', 'hers')).id);
    await app.drain();
    await app.get(BlocksService).block(id('reader'), id('carol'), {});
    await app.drain();
    expect(await home()).toEqual([]);
    await app.get(BlocksService).unblock(id('reader'), id('carol'));
    return boost.id;
  },
  'the expiry of a block by the author of a boosted post': async () => {
    const boost = await reblog(app, 'bob', (await post(app, 'carol', 'hers')).id);
    await app.get(BlocksService).block(id('carol'), id('reader'), { expiresIn: 3600 });
    await app.drain();
    expect(await home()).toEqual([]);
    await app.sql(`update blocks set expires_at = now() - interval '1 second'`);
    await app.get(BlocksService).endExpired();
    return boost.id;
  },
  'a follow that wants boosts again': async () => {
    await app.get(FollowsService).follow(id('reader'), id('bob'), { reblogs: false });
    const boost = await reblog(app, 'bob', (await post(app, 'carol', 'hers')).id);
    await app.drain();
    expect(await home()).toEqual([]);
    await app.get(FollowsService).follow(id('reader'), id('bob'), { reblogs: true });
    return boost.id;
  },
};

it.each(Object.keys(changes))('a stored home feed is complete after %s', async (change) => {
  const entry = await changes[change]!();
  await app.drain();
  expect(await home()).toEqual([entry]);
  for (const table of ['statuses', 'follows', 'followed_tags'])
    await app.sql(`update ${table} set created_at = now() - interval '1 day'`);
  const repair = app.get(FeedRepairService);
  expect(await repair.check({ fix: false })).toBe(0);
  await app.sql('delete from home_feed');
  expect(await repair.check({ fix: false })).toBe(1);
  await app.sql(`update users set feed_floor = '~' where account_id = $1`, [id('reader')]);
  expect(await home()).toEqual([entry]);
});
