import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { BackupPlace } from '../place/backup-place.js';
import { BackupWriter } from './backup-writer.js';

describe('BackupWriter', () => {
  it('reports a place that fails between two parts of a file', async () => {
    const target = new Writable({ write: (_data, _encoding, done) => done() });
    const place = { requireFree: () => Promise.resolve(), begin: () => target } as Partial<BackupPlace> as BackupPlace;
    const writer = await BackupWriter.create(place);
    const content = Readable.from(
      (async function* () {
        yield Buffer.from('part');
        target.destroy(new Error('the place is full'));
        await finished(target).catch(() => undefined);
        await setImmediate(); // the tar is closed too
        yield Buffer.from('part');
      })(),
    );
    const added = writer.addStream('file', { size: 8, modifiedAt: new Date() }, content);
    await expect(added).rejects.toThrow('the place is full');
  });
});
