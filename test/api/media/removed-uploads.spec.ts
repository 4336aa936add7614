import { JobRepository, MediaStorage, Worker } from '../../../src/platform/index.js';
import { MediaFilesService } from '../../../src/media/storage/media-files.service.js';
import { useApp } from '../../support/servers/app.js';
import { post } from '../../support/fixtures/statuses.js';
import { filesOf, upload } from '../../support/fixtures/uploads.js';

const app = useApp({ people: ['alice', 'bob'] });

beforeEach(async () => {
  const { stored } = await filesOf(app);
  await app.get(MediaFilesService).remove({ keys: stored.map((path) => path.split('/').slice(-2).join('/')) });
});

const rows = () => app.sql<{ id: string }>('select * from attachments');

describe('an upload', () => {
  it('can be removed by its owner, with its file', async () => {
    const { id } = await upload(app, 'alice');
    const alice = await app.world.as('alice');
    await (await app.world.as('bob')).delete(`/api/v1/media/${id}`).expect(404);
    await alice.delete(`/api/v1/media/${id}`).expect(200, {});
    await alice.delete(`/api/v1/media/${id}`).expect(404);
    await app.drain();
    expect([await rows(), (await filesOf(app)).stored]).toEqual([[], []]);
  });

  it('is removed with its file when the storage is back after half a day, and however much later after it failed', async () => {
    const { id } = await upload(app, 'alice');
    await (await app.world.as('alice')).delete(`/api/v1/media/${id}`).expect(200);
    const away = jest.spyOn(app.get(MediaStorage), 'remove').mockRejectedValue(new Error('away'));
    const tryTimes = async (times: number) => {
      for (let tries = 0; tries < times; tries += 1) {
        await app.sql(`update jobs set run_at = now() where name = 'media.remove-files'`);
        await app.drain();
      }
    };
    const failed = () => app.sql(`select from jobs where name = 'media.remove-files' and parked_at is not null`);
    await tryTimes(20);
    expect(await failed()).toEqual([]);
    await tryTimes(10);
    expect(await failed()).toHaveLength(1);
    await app.sql(`update jobs set parked_at = now() - interval '1 year' where name = 'media.remove-files'`);
    await app.get(Worker).purgeFailed();
    away.mockRestore();
    await app.get(JobRepository).retryFailed();
    await app.drain();
    expect((await filesOf(app)).stored).toEqual([]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['in a post', (id) => post(app, 'alice', 'tea', { media_ids: [id] })],
    [
      'in an earlier version of a post',
      async (id) => {
        const { id: posted } = await post(app, 'alice', 'tea', { media_ids: [id] });
        return (await app.world.as('alice')).put(`/api/v1/statuses/${posted}`, { status: 'more' }).expect(200);
      },
    ],
    [
      'in a post for later',
      async (id) => {
        const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
        const later = { status: 'later', media_ids: [id], scheduled_at };
        return (await app.world.as('alice')).post('/api/v1/statuses', later).expect(200);
      },
    ],
  ])('stays while it is %s', async (_, use) => {
    const { id } = await upload(app, 'alice');
    await use(id);
    await (await app.world.as('alice')).delete(`/api/v1/media/${id}`).expect(422, { error: 'The file is in use' });
    expect(await rows()).toMatchObject([{ id }]);
  });
});
