import { crc32 } from 'node:zlib';
import sharp from 'sharp';

/** Files for uploads, made by the tests themselves. */

/** A picture of plain colour. */
export function picture(
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' = 'png',
  width = 60,
  height = 40,
): Promise<Buffer> {
  return plain(width, height).toFormat(format).toBuffer();
}

/** A picture with a transition, of which blurhash and thumbnail differ from corner to corner. */
export function photo(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#456', noise } })
    .jpeg()
    .toBuffer();
}

/** A photo as phones make them: lying on its side, with the place where it was taken. */
export function phonePhoto(width: number, height: number): Promise<Buffer> {
  return plain(width, height)
    .withExif({
      IFD0: { Copyright: 'Somebody' },
      IFD3: { GPSLatitude: '52/1 30/1 0/1', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret</x:xmpmeta>')
    .jpeg()
    .toBuffer();
}

/** Three frames. */
export async function animation(format: 'gif' | 'webp', options: { xmp?: string } = {}): Promise<Buffer> {
  const frames = await Promise.all(['#f00', '#0f0', '#00f'].map((colour) => plain(60, 40, colour).png().toBuffer()));
  const joined = sharp(frames, { join: { animated: true } });
  if (options.xmp !== undefined) joined.withXmp(options.xmp);
  return joined.toFormat(format, { delay: [100, 100, 100], loop: 0 }).toBuffer();
}

/** Two frames. sharp reads and writes the first only, so the second is put behind it here. */
export async function movingPng(width = 60, height = 40): Promise<Buffer> {
  const png = await picture('png', width, height);
  const pixels = png.indexOf('IDAT') - 4;
  const end = pixels + 12 + png.readUInt32BE(pixels);
  const control = (sequence: number) => {
    const rest = Buffer.from([0, 1, 0, 10, 0, 0]); // a tenth of a second
    return pngChunk('fcTL', Buffer.concat([uint(sequence, 4), uint(width, 4), uint(height, 4), Buffer.alloc(8), rest]));
  };
  return Buffer.concat([
    png.subarray(0, pixels),
    pngChunk('acTL', Buffer.concat([uint(2, 4), uint(0, 4)])),
    control(0),
    png.subarray(pixels, end),
    control(1),
    pngChunk('fdAT', Buffer.concat([uint(2, 4), png.subarray(pixels + 8, end - 4)])),
    png.subarray(end),
  ]);
}

/** The still that moving AVIF hold besides, and a track that says where its frames would be. */
export async function movingAvif({
  handler = 'pict',
  note,
}: { handler?: string; note?: string } = {}): Promise<Buffer> {
  const still = await picture('avif');
  still.write('avis', 8, 'latin1');
  still.write('msf1', still.readUInt32BE(0) - 4, 'latin1');
  const notes = note === undefined ? [] : [box('udta', Buffer.from(note))];
  const kind = Buffer.concat([Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)]);
  const media = box('mdia', box('mdhd', Buffer.alloc(24)), box('hdlr', kind), ...notes, box('minf'));
  const track = box('trak', box('tkhd', Buffer.alloc(84)), media, ...notes);
  return Buffer.concat([still, box('moov', box('mvhd', Buffer.alloc(100)), track, ...notes)]);
}

/** The picture with notes of every kind that a format has for programs and people, each once: all of them say `secret`. */
export function noted(format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif', clean: Buffer): Buffer[] {
  const note = Buffer.from('secret;');
  const behind = Buffer.concat([clean, note]);
  const after = (at: number, part: Buffer) => Buffer.concat([clean.subarray(0, at), part, clean.subarray(at)]);
  const segment = (marker: number, name = '') => {
    const body = Buffer.concat([Buffer.from(name), note]);
    return after(2, Buffer.concat([Buffer.from([0xff, marker]), uint(body.length + 2, 2), body]));
  };
  const block = Buffer.concat([uint(note.length, 1), note, Buffer.from([0])]);
  const application = Buffer.concat([Buffer.from('!\xff\x0bXMP DataXMP', 'latin1'), block]);
  const riff = (part: Buffer) => {
    const grown = Buffer.concat([clean, part]);
    grown.writeUInt32LE(grown.length - 8, 4);
    return grown;
  };
  switch (format) {
    case 'jpeg':
      return [segment(0xfe), segment(0xeb, 'JP'), segment(0xe0, 'JFXX\0'), segment(0xe2, 'MPF\0'), behind];
    case 'png':
      return [after(33, pngChunk('caBX', note)), after(33, pngChunk('tIME', note)), behind];
    case 'gif': {
      const end = clean.length - 1;
      return [after(end, Buffer.concat([Buffer.from('!\xfe', 'latin1'), block])), after(end, application), behind];
    }
    case 'webp':
      return [riff(Buffer.concat([Buffer.from('NOTE\x07\0\0\0', 'latin1'), note, Buffer.from([0])])), behind];
    case 'avif':
      return [Buffer.concat([clean, box('uuid', note)]), Buffer.concat([clean, box('free', note)])];
  }
}

/** A PNG that says in its header that it is huge, and holds next to nothing. */
export function giantPng(width = 30_000, height = 30_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // 8 bits, colours
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', Buffer.alloc(20)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A film of no pictures with all the headers, and the place where it was taken. */
export function mp4({ brand = 'isom', width = 640, height = 360, seconds = 2.5, turned = false } = {}): Buffer {
  const mvhd = Buffer.alloc(100);
  mvhd.writeUInt32BE(1000, 12);
  mvhd.writeUInt32BE(seconds * 1000, 16);
  const tkhd = Buffer.alloc(84);
  tkhd.writeInt32BE(turned ? 0 : 65_536, 40);
  tkhd.writeUInt32BE(width * 65_536, 76);
  tkhd.writeUInt32BE(height * 65_536, 80);
  const place = box('udta', box('©xyz', Buffer.from('+52.5000+013.4000/')));
  const tracks = [
    box('trak', box('tkhd', Buffer.alloc(84))),
    box('trak', box('tkhd', tkhd), box('meta', Buffer.from('an iPhone'))),
  ];
  return Buffer.concat([
    box('ftyp', Buffer.from(brand), Buffer.alloc(4), Buffer.from(brand)),
    box('moov', box('mvhd', mvhd), ...tracks, place),
    box('mdat', Buffer.from('the film')),
  ]);
}

/** A film with a header only. */
export function webm({ width = 320, height = 240, seconds = 3 } = {}): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  const sides = [element('b0', uint(width)), element('ba', uint(height))];
  const info = element('1549a966', element('2ad7b1', uint(1_000_000)), element('4489', duration));
  const tracks = element('1654ae6b', element('ae', element('e0', ...sides)));
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    Buffer.from('1853806701ffffffffffffff', 'hex'), // a segment of unknown size
    info,
    tracks,
  ]);
}

/** Sound of no length. */
export function wav(): Buffer {
  const header = Buffer.from('RIFF....WAVEfmt ................data....', 'latin1');
  header.writeUInt32LE(36, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt32LE(0, 36);
  return header;
}

export function mp3(): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]); // MPEG 1 layer III, 128 kbit/s, 44.1 kHz
  return Buffer.concat([frame, frame, frame]);
}

function plain(width: number, height: number, background = '#27a') {
  return sharp({ create: { width, height, channels: 3, background } });
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint(data.length, 4), body, uint(crc32(body), 4)]);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([uint(body.length + 8, 4), Buffer.from(type, 'latin1'), body]);
}

function element(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.from([0x40 | (body.length >> 8), body.length & 0xff]);
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

function uint(value: number, length = 4): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}
