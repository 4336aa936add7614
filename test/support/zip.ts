import { crc32, deflateRawSync } from 'node:zlib';
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

/** A file of a made-up archive, with whatever it claims. */
export interface ClaimedEntry {
  readonly name: string | Buffer;
  readonly content?: Buffer;
  /** The name in the file's own header. */
  readonly innerName?: string;
  /** Unpacked size. */
  readonly size?: number;
  readonly crc?: number;
  /** 8 for deflated, which is the default, 0 for stored. */
  readonly method?: number;
  readonly flags?: number;
  /** As Unix has it. */
  readonly mode?: number;
  /** Where it begins, in place of where it does. */
  readonly at?: number;
}

/** A zip archive made by hand, so that it can lie. */
export function zipOf(entries: readonly ClaimedEntry[], { count = entries.length } = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const title = Buffer.from(entry.name);
    const [common, packed] = commonHeader(entry, title.length);
    const inner = Buffer.from(entry.innerName ?? entry.name);
    const local = Buffer.from(common);
    local.writeUInt16LE(inner.length, 22);
    files.push(Buffer.from('504b0304', 'hex'), local, inner, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(entry.at ?? offset, 10);
    directory.push(Buffer.from('504b01021403', 'hex'), common, rest, title);
    offset += 4 + local.length + inner.length + packed.length;
  }
  return Buffer.concat([...files, ...directory, endRecord(count, Buffer.concat(directory).length, offset)]);
}

/** What stands both in front of a file and in the directory; and the file. */
function commonHeader({ method = 8, flags = 0, ...entry }: ClaimedEntry, nameBytes: number): [Buffer, Buffer] {
  const content = entry.content ?? Buffer.from('x');
  const packed = method === 8 ? deflateRawSync(content) : content;
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(flags, 2);
  header.writeUInt16LE(method, 4);
  header.writeUInt32LE(entry.crc ?? crc32(content), 10);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(entry.size ?? content.length, 18);
  header.writeUInt16LE(nameBytes, 22);
  return [header, packed];
}

function endRecord(count: number, bytes: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(at, 16);
  return end;
}
