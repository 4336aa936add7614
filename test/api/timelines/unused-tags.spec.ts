import { Worker } from '../../../src/platform/index.js';
import { TagsService } from '../../../src/timelines/index.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { post } from '../../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob'] });

const names = async () =>
  (await app.sql<{ name: string }>('select name from hashtags order by name')).map(({ name }) => name);
const marked = async () =>
  (await app.sql<{ name: string }>('select name from hashtags where unused_since is not null order by name')).map(
    ({ name }) => name,
  );
const sweep = () => app.get(TagsService).sweep();
const aMonthLater = () => app.sql(`update hashtags set unused_since = unused_since - interval '31 days'`);
const remove = async (id: string) => (await app.world.as('alice')).delete(`/api/v1/statuses/${id}`).expect(200);

describe('a hashtag that no post has', () => {
  it('is removed after a month, unless a user follows it or uses it again', async () => {
    const made = await post(app, 'alice', '#gone #followed #again #kept');
    await post(app, 'alice', '#kept #new');
    await remove(made.id);
    await (await app.world.as('bob')).post('/api/v1/tags/followed/follow').expect(200);
    await app.get(Worker).enqueueRecurring();
    await app.drain();
    expect(await marked()).toEqual(['again', 'gone']);
    await aMonthLater();
    await post(app, 'alice', '#again');
    await sweep();
    expect(await names()).toEqual(['again', 'followed', 'kept', 'new']);
    expect(await marked()).toEqual([]);
  });

  it('stays for a month', async () => {
    await remove((await post(app, 'alice', '#gone')).id);
    await sweep();
    await sweep();
    expect(await names()).toEqual(['gone']);
  });

  it('stays while a post gets it', async () => {
    await remove((await post(app, 'alice', '#tea')).id);
    await sweep();
    await aMonthLater();
    const { id } = await post(app, 'alice', 'nothing');
    await holding(app, async (holder) => {
      await holder.query(`insert into status_hashtags select $1, id from hashtags`, [id]);
      await sweep();
      await holder.query('commit');
    });
    await sweep();
    expect(await names()).toEqual(['tea']);
    expect(await app.sql('select from status_hashtags where status_id = $1', [id])).toHaveLength(1);
  });

  it('stays when a post finds it before the removal', async () => {
    await remove((await post(app, 'alice', '#able')).id);
    await sweep();
    await aMonthLater();
    await holding(app, async (holder) => {
      await holder.query(`insert into hashtags (name) values ('baker')`);
      const posting = post(app, 'alice', '#able #baker');
      await waitersOf(holder, 1);
      await sweep();
      expect(await names()).toEqual(['able']);
      await holder.query('rollback');
      expect((await posting).tags.map(({ name }) => name)).toEqual(['able', 'baker']);
    });
    expect(await names()).toEqual(['able', 'baker']);
    expect(await app.sql('select from status_hashtags')).toHaveLength(2);
  });
});
