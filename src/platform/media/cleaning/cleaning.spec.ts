import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAMAGED, DETAILED } from '../../../../test/support/fixtures/damaged-media.js';
import { box, element, mp3, mp4Track, uint, webm } from '../../../../test/support/fixtures/media-files.js';
import { NOTED_FILES } from '../../../../test/support/fixtures/noted-files.js';
import { webmWith } from '../../../../test/support/fixtures/noted-webm.js';
import { saysWho } from '../../../../test/support/fixtures/notes.js';
import { UnreadableMedia } from '../media-facts.js';
import { cleanMedia } from './cleaning.js';
import { EditedFile } from './edited-file.js';

const FILES = NOTED_FILES.filter(([mime]) => !mime.startsWith('image/'));
const flac = Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), Buffer.alloc(34), Buffer.alloc(200, 0x55)]);
/** Bytes between two that are damaged. */
const STEP = 37;

describe('cleanMedia', () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cleaning-'));
    path = join(folder, 'file');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The cleaned file; undefined for one that is refused. */
  async function cleaned(content: Buffer, mime: string): Promise<Buffer | undefined> {
    await writeFile(path, content);
    try {
      await cleanMedia(path, mime);
      return await readFile(path);
    } catch (error) {
      if (error instanceof UnreadableMedia) return undefined;
      throw error;
    }
  }

  it.each(FILES)('M9 leaves a clean %s unchanged: %s', async (mime, _where, made) => {
    const clean = await cleaned(await made(), mime);
    expect(saysWho(clean!)).toBe(false);
    expect(await cleaned(clean!, mime)).toEqual(clean);
  });

  it.each(FILES)('M4 refuses a damaged %s or does not enlarge it: %s', async (mime, _where, made) => {
    const whole = await made();
    for (let at = 0; at < whole.length; at += STEP) {
      const broken = Buffer.from(whole);
      broken[at] = broken[at]! ^ 0xff;
      for (const content of [broken, whole.subarray(0, at)]) {
        expect(((await cleaned(content, mime))?.length ?? 0) <= content.length).toBe(true);
      }
    }
  });

  it.each(DETAILED)('M4 refuses a %s with any wrong byte or does not enlarge it: %s', async (mime, _what, whole) => {
    expect(await cleaned(whole, mime)).toHaveLength(whole.length);
    for (let at = 0; at < whole.length; at += 1) {
      const broken = Buffer.from(whole);
      broken[at] = broken[at]! ^ (at % 2 === 0 ? 0xff : 0x01);
      expect(((await cleaned(broken, mime))?.length ?? 0) <= whole.length).toBe(true);
    }
  });

  it.each(DAMAGED)('M4 refuses a %s with %s', async (mime, _what, file) => {
    expect(await cleaned(file, mime)).toBeUndefined();
  });

  it.each([
    [['soun'], true],
    [['soun', 'text'], true],
    [['soun', 'vide'], undefined],
    [['pict', 'soun'], undefined],
    [['text'], 'refused'],
    [[], 'refused'],
  ])('treats an MP4 with sound tracks and no video tracks as audio: %j', async (handlers, isSound) => {
    const tracks = handlers.map((handler) => mp4Track(handler, 24, 4));
    const start = [box('ftyp', Buffer.from('isom'), Buffer.alloc(4)), box('mdat', Buffer.from('data'))];
    await writeFile(path, Buffer.concat([...start, box('moov', box('mvhd', Buffer.alloc(100)), ...tracks)]));
    const facts = cleanMedia(path, 'video/mp4');
    if (isSound === 'refused') await expect(facts).rejects.toThrow(UnreadableMedia);
    else expect((await facts)?.isSound).toBe(isSound);
  });

  it.each(['video/mp4', 'video/webm', 'audio/ogg', 'audio/mpeg', 'audio/flac', 'audio/wav'])(
    'M4 refuses an empty %s and one of zeros',
    async (mime) => {
      for (const content of [Buffer.alloc(0), Buffer.alloc(300_000)]) {
        expect(await cleaned(content, mime)).toBeUndefined();
      }
    },
  );

  it.each([
    '-00020LYRICS200',
    '-99999LYRICS200',
    '      LYRICS200',
    'APETAGEX'.padEnd(32, '\0'),
    '3DI'.padEnd(10, '\0'),
  ])('M4 ends at a tag of no length or of less: %j', async (tail) => {
    const flac = Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), Buffer.alloc(34), Buffer.alloc(200, 0x55)]);
    const clean = await cleaned(Buffer.concat([flac, Buffer.from(tail)]), 'audio/flac');
    expect(clean?.subarray(0, flac.length)).toEqual(flac);
  });

  it('leaves the transparency of a WebM whose pictures say that they have one', async () => {
    const beside = (...parts: Buffer[]) => element('75a1', element('a6', element('ee', uint(1, 1)), ...parts));
    const frame = element('a1', Buffer.from('83000000', 'hex'));
    const inCluster = [element('a0', frame, beside(element('a5', Buffer.from('alpha'))))];
    const withAlpha = webmWith({ inPicture: [element('53c0', uint(1, 1))], inCluster });
    expect((await cleaned(withAlpha, 'video/webm'))?.includes('alpha')).toBe(true);
    const other = element('a6', element('a5', Buffer.from('note')), element('ee', uint(4, 1)));
    const withNote = [element('a0', frame, element('75a1', other))];
    const ofSound = [
      element('a0', element('a1', Buffer.from('81000000', 'hex')), beside(element('a5', Buffer.from('note')))),
    ];
    for (const group of [withNote, ofSound]) {
      const file = webmWith({ inPicture: [element('53c0', uint(1, 1))], inCluster: group });
      expect((await cleaned(file, 'video/webm'))?.includes('note')).toBe(false);
    }
    expect((await cleaned(webmWith({ inCluster }), 'video/webm'))?.includes('alpha')).toBe(false);
  });

  it.each([0xff, 0x49])('M4 passes over bytes %i in an MP3 in large steps', async (byte) => {
    expect(await cleaned(Buffer.concat([mp3(), Buffer.alloc(1_048_576, byte)]), 'audio/mpeg')).toEqual(mp3());
  });

  it.each([
    ['video/webm', 'elements of nothing', webm(), '\xec\x80', 20_000],
    ['audio/flac', 'tags', flac, '3DI'.padEnd(10, '\0'), 100_000],
  ])('M4 refuses a small %s of many %s', async (mime, _what, file, part, count) => {
    expect(await cleaned(Buffer.concat([file, Buffer.from(part.repeat(count), 'latin1')]), mime)).toBeUndefined();
  });

  const samples = Buffer.from(Float64Array.from({ length: 100 }, Math.sin).buffer);
  const waveOf = (size: number, ...rest: Buffer[]) => {
    const lengths = Buffer.alloc(4);
    lengths.writeUInt32LE(size);
    return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt \x04\0\0\0formdata', 'latin1'), lengths, ...rest]);
  };
  it.each([0, samples.length, samples.length + 10, 0xffffffff])(
    'takes a WAV with sound of length %i whole',
    async (size) => {
      const exact = await cleaned(waveOf(samples.length, samples), 'audio/wav');
      expect(exact?.subarray(-samples.length)).toEqual(samples);
      expect(await cleaned(waveOf(size, samples), 'audio/wav')).toEqual(exact);
    },
  );

  it('M9 takes no chunk behind a WAV of no sound for its sound', async () => {
    const note = Buffer.from('LIST\x04\0\0\0nameown \x03\0\0\0Ann\0', 'latin1');
    expect(await cleaned(waveOf(0, note), 'audio/wav')).toEqual(await cleaned(waveOf(0), 'audio/wav'));
  });

  it('M4 writes nothing to a WAV of many chunks that stay as they are', async () => {
    const file = Buffer.from(`RIFF....WAVE${'data\0\0\0\0'.repeat(50_000)}`);
    file.writeUInt32LE(file.length - 8, 4);
    expect(await cleaned(file, 'audio/wav')).toEqual(file);
  });

  it('M4 lets others have their turn also while it reads what is in memory', async () => {
    await writeFile(path, 'file');
    let hadTurn = false;
    const hadTurnWithin = EditedFile.edit(path, async (file) => {
      await file.upTo(0, 1);
      setTimeout(() => (hadTurn = true));
      for (let step = 0; step < 500_000 && !hadTurn; step += 1) await file.upTo(0, 1);
      return hadTurn;
    });
    expect(await hadTurnWithin).toBe(true);
  });

  it('M4 reads and sorts the tables of an MP4 of many chunks in turns', async () => {
    const [chunks, start] = [100_000, 16 + 8];
    const offsets = Buffer.alloc(4 * chunks);
    // from the last to the first, each of one byte, and one of them missing
    for (let at = 0; at < chunks; at += 1)
      offsets.writeUInt32BE(start + chunks - at + Number(at === chunks - 1), 4 * at);
    const tables = [
      box('stsc', uint(0), uint(1), uint(1), uint(1), uint(1)),
      box('stsz', uint(0), uint(0), uint(chunks), Buffer.alloc(4 * chunks, uint(1))),
      box('stco', uint(0), uint(chunks), offsets),
    ];
    const handler = box('hdlr', Buffer.alloc(8), Buffer.from('vide'), Buffer.alloc(12));
    const media = box('mdia', handler, box('minf', box('stbl', box('stsd', Buffer.alloc(8)), ...tables)));
    const brands = box('ftyp', Buffer.from('isom'), Buffer.alloc(4));
    const content = box('mdat', Buffer.alloc(chunks + 2, 'x'));
    const file = Buffer.concat([brands, content, box('moov', box('trak', box('tkhd', Buffer.alloc(84)), media))]);

    const saysOnly = (bytes: Buffer) => bytes.equals(Buffer.from(`\0\0${'x'.repeat(chunks - 1)}\0`));
    const steps = jest.spyOn(EditedFile.prototype, 'step');
    const reads = jest.spyOn(Buffer.prototype, 'readUInt32BE');
    const sorts = jest.spyOn(Float64Array.prototype, 'sort');
    try {
      const clean = await cleaned(file, 'video/mp4');
      expect(saysOnly(clean!.subarray(start, start + chunks + 2))).toBe(true);
      let [longest, stretch, step] = [0, 0, 0];
      for (const order of reads.mock.invocationCallOrder) {
        stretch += 1;
        for (; (steps.mock.invocationCallOrder[step] ?? Infinity) < order; step += 1) stretch = 1;
        longest = Math.max(longest, stretch);
      }
      expect(longest).toBeLessThan(10_000);
      expect(sorts.mock.contexts.filter((sorted: Float64Array) => sorted.length > 10_000)).toEqual([]);
    } finally {
      for (const spy of [steps, reads, sorts]) spy.mockRestore();
    }
  });
});
