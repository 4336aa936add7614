import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

/** The files of an archive by their paths. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, Buffer>>();
  yauzl.fromBuffer(archive, { lazyEntries: true }, (problem, zip) => {
    if (problem) {
      reject(problem);
      return;
    }
    const files = new Map<string, Buffer>();
    zip.on('error', reject).on('end', () => resolve(files));
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) {
          reject(error);
          return;
        }
        buffer(stream).then((content) => {
          files.set(entry.fileName, content);
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
  return promise;
}
