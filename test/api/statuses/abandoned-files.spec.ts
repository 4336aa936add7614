import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalSweeps, Worker } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';

const TWO_DAYS_AGO = Date.now() / 1_000 - 2 * 86_400;

describe('an unfinished file of a killed process', () => {
  const app = useApp({ once: [], storage: 'disk' });

  it.each(['uploads', 'media/.drafts', 'emoji/.drafts', 'proxy/.drafts'])(
    'is removed from %s while the server runs, once it is old',
    async (name) => {
      const folder = join(app.env.dataDir, name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'old'), 'half');
      await utimes(join(folder, 'old'), TWO_DAYS_AGO, TWO_DAYS_AGO);
      await writeFile(join(folder, 'new'), 'half');
      await app.sql('delete from jobs');
      await app.get(Worker).enqueueRecurring();
      await app.drain();
      await app.get(LocalSweeps).run();
      expect(await readdir(folder)).toEqual(['new']);
    },
  );
});
