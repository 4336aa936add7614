import { DataSource } from 'typeorm';
import { MediaCleaningService } from '../../../src/media/index.js';
import { MediaStorage, Videos } from '../../../src/platform/index.js';
import { WarnedFiles1764000186000 } from '../../../src/migrations/statuses/1764000186000-warned-files.js';
import { DAMAGED } from '../../support/fixtures/damaged-media.js';
import { mp4, noted, picture } from '../../support/fixtures/media-files.js';
import { upload } from '../../support/fixtures/uploads.js';
import { restOf } from '../../support/locks.js';
import { runCtl } from '../../support/servers/ctl.js';
import { useApp } from '../../support/servers/app.js';

/** What an earlier release stored. */
describe('An older', () => {
  const app = useApp();

  beforeEach(async () => {
    await app.world.person('ada');
  });

  /** The path of the stored file of an upload. */
  async function pathOf(id: string): Promise<string> {
    const [{ key } = { key: '' }] = await app.sql<{ key: string }>(
      'select file_key as key from attachments where id = $1',
      [id],
    );
    return `media/${key}`;
  }
  const clean = (after = '0', most = 100) => app.get(MediaCleaningService).clean(after, most);

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('M9 %s is cleaned once, in place', async (format) => {
    const { id } = await upload(app, 'ada', await picture(format));
    const path = await pathOf(id);
    const stored = await app.files.read(path);
    await app.files.write(path, noted(format, stored)[0]!);
    expect(await clean()).toMatchObject({ looked: 1, cleaned: 1, unreadable: [], last: id });
    expect((await app.files.read(path)).includes('secret')).toBe(false);
    expect(await clean()).toMatchObject({ looked: 1, cleaned: 0 });
  });

  it('file may take long to be stored, while its row is locked', async () => {
    const { id } = await upload(app, 'ada');
    await app.files.write(await pathOf(id), noted('png', await app.files.read(await pathOf(id)))[0]!);
    const storage = app.get(MediaStorage);
    const put = storage.put.bind(storage);
    let rest: string | undefined;
    const storing = jest.spyOn(storage, 'put').mockImplementation(async (...file) => {
      rest = await restOf(app);
      await put(...file);
    });
    expect(await clean()).toMatchObject({ cleaned: 1 });
    storing.mockRestore();
    expect(rest).toBe('1h');
  });

  it('M9 upload that cannot be read stays, and the next run continues after it', async () => {
    const uploads = [await upload(app, 'ada'), await upload(app, 'ada', mp4()), await upload(app, 'ada')];
    const [first, second, third] = uploads.map(({ id }) => id) as [string, string, string];
    await app.files.write(await pathOf(first), 'no picture');
    await app.files.remove(await pathOf(second));
    const stored = await app.files.read(await pathOf(third));
    await app.files.write(await pathOf(third), noted('png', stored)[0]!);
    expect(await clean('0', 2)).toEqual({ looked: 2, cleaned: 0, unreadable: [first, second], last: second });
    expect(await runCtl(app.variables, 'media', 'clean', '--after', second)).toEqual({
      code: 0,
      err: '',
      out: `1 of 1 upload was cleaned.\nThe last one is ${third}.`,
    });
    expect(await app.files.read(await pathOf(third))).toEqual(stored);
  });

  it('M9 upload that is damaged, or for which the server has an unknown fault, ends no run', async () => {
    const uploads = [await upload(app, 'ada', mp4()), await upload(app, 'ada', mp4()), await upload(app, 'ada', mp4())];
    const [first, second, third] = uploads.map(({ id }) => id) as [string, string, string];
    await app.files.write(await pathOf(second), DAMAGED[0]![2]);
    expect(await clean()).toEqual({ looked: 3, cleaned: 0, unreadable: [second], last: third });
    const reading = jest.spyOn(app.get(Videos), 'read').mockRejectedValueOnce(new TypeError('unknown'));
    expect(await clean()).toEqual({ looked: 3, cleaned: 0, unreadable: [first, second], last: third });
    const full = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
    reading.mockRejectedValueOnce(full);
    await expect(clean()).rejects.toBe(full);
    reading.mockRestore();
  });

  it.each([
    ['a warning and files', 'tea', true, true],
    ['a warning', 'tea', false, false],
    ['files', '', true, false],
  ])('post with %s is marked as sensitive if it needs it', async (_what, spoiler, hasFiles, expected) => {
    const client = await app.world.as('ada');
    const media = hasFiles ? [(await upload(app, 'ada')).id] : [];
    const values = { status: 'tea', spoiler_text: spoiler, media_ids: media };
    const { id } = (await client.post('/api/v1/statuses', values).expect(200)).body as { id: string };
    await app.sql('update statuses set sensitive = false, version = version + 1 where id = $1', [id]);
    const read = async () =>
      ((await client.get(`/api/v1/statuses/${id}`).expect(200)).body as { sensitive: boolean }).sensitive;
    expect(await read()).toBe(false);
    const runner = app.get(DataSource).createQueryRunner();
    try {
      await runner.startTransaction();
      await new WarnedFiles1764000186000().up(runner);
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
    expect(await read()).toBe(expected);
  });
});
