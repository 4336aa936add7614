import { StatusesService } from '../../../src/statuses/index.js';
import { ThreadMutesService } from '../../../src/statuses/interactions/thread-mutes.service.js';
import { useApp } from '../../support/servers/app.js';
import { post } from '../../support/fixtures/statuses.js';

const PATH = '/api/v1/statuses';

const app = useApp({ people: ['alice', 'bob'] });

describe('the nightly jobs', () => {
  it('delete expired mutes of threads, and no others', async () => {
    const bob = await app.world.as('bob');
    const made = [];
    for (const seconds of [60, 3_600, 0]) {
      const { id } = await post(app, 'alice', 'tea');
      await bob.post(`${PATH}/${id}/mute`, { expires_in: seconds }).expect(200);
      made.push(id);
    }
    await app.sql(`update thread_mutes set created_at = now() - interval '9 days',
      expires_at = case when expires_at < now() + interval '2 minutes' then now() - interval '1 second' else expires_at end`);
    await app.get(ThreadMutesService).purge();
    const left = await app.sql<{ id: string }>(
      'select s.id from thread_mutes t join statuses s on s.conversation_id = t.conversation_id order by s.id',
    );
    expect(left.map(({ id }) => id)).toEqual(made.slice(1));
  });

  it('delete tombstones of posts after a year', async () => {
    const alice = await app.world.as('alice');
    const uris = [];
    for (const days of [366, 364]) {
      const { id, uri } = await post(app, 'alice', 'tea');
      await alice.delete(`${PATH}/${id}`).expect(200);
      await app.sql(`update tombstones set deleted_at = now() - $2 * interval '1 day' where uri = $1`, [uri, days]);
      uris.push(uri);
    }
    await app.get(StatusesService).purgeTombstones();
    expect(await app.sql('select uri from tombstones')).toEqual(uris.slice(1).map((uri) => ({ uri })));
  });
});
