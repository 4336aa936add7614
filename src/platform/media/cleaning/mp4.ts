import { type MediaFacts, UnreadableMedia } from '../media-facts.js';
import { damaged, type EditedFile } from './edited-file.js';
import { type Box, Samples, type TrackBoxes } from './mp4-samples.js';
import { blankSampleDescriptions } from './mp4-descriptions.js';

/** The boxes that players need, by what they stand in. Those without an entry of their own are kept whole. */
const NEEDED: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'mfra']),
  moov: new Set(['mvhd', 'trak', 'mvex']),
  trak: new Set(['tkhd', 'edts', 'mdia', 'tapt']),
  mdia: new Set(['mdhd', 'hdlr', 'elng', 'minf']),
  minf: new Set(['vmhd', 'smhd', 'hdlr', 'dinf', 'stbl']),
  dinf: new Set(['dref']),
  stbl: new Set([
    ...['stsd', 'stts', 'ctts', 'cslg', 'stss', 'stps', 'sdtp', 'sgpd', 'sbgp'],
    ...['stsc', 'stsz', 'stz2', 'stco', 'co64'],
  ]),
  moof: new Set(['mfhd', 'traf']),
  traf: new Set(['tfhd', 'tfdt', 'trun', 'sgpd', 'sbgp', 'sdtp']),
  edts: new Set(['elst']),
  mvex: new Set(['mehd', 'trex']),
};
/** How a file says which programs read it. Others name a camera. */
const BRAND =
  /^(?:iso[m2-9a]|mp4[12]|avc1|hvc1|hev1|av01|qt {2}|M4[ABPV] |f4v |3g[pg2].|3g2.|dash|msdh|msix|cmf.|mmp4)$/;
const VIDEO = new Set(['vide', 'soun']);
const SOUND = new Set(['soun']);
/** The handlers of tracks of pictures (ISO 14496-12, ISO 23008-12). */
const PICTURES = new Set(['vide', 'auxv', 'pict']);
/** The longest part of a header that is looked at: `tkhd` of version 1, without its own header. */
const LONGEST_FIELDS = 96;
const LONGEST_LIST = 1_048_576;

/**
 * MP4 and QuickTime: reads the header, and blanks in place all that is neither video nor sound: place, device, author, dates,
 * tracks of text or data, and bytes of the content that belong to no frame. Nothing is moved.
 */
export async function cleanMp4(file: EditedFile, mime: string): Promise<MediaFacts> {
  return new Mp4Cleaner(file, mime.startsWith('audio/') ? SOUND : VIDEO).clean();
}

class Mp4Cleaner {
  private readonly samples: Samples;
  private readonly contents: Box[] = [];
  /** The types of needed boxes that were seen. */
  private readonly seen = new Set<string>();
  private track = new Map<string, Box>();
  private readonly sizes: MediaFacts[] = [];
  /** The kinds of all tracks, also of those that are removed. */
  private readonly kinds = new Set<string>();
  private duration: number | undefined;
  private hasDropped = false;

  constructor(
    private readonly file: EditedFile,
    private readonly handlers: ReadonlySet<string>,
  ) {
    this.samples = new Samples(file);
  }

  async clean(): Promise<MediaFacts> {
    const { size } = this.file;
    const end = await this.over({ type: 'file', start: 0, contentStart: 0, end: size });
    if (this.sizes.length === 0) throw damaged();
    if (this.seen.has('moof')) {
      // what tracks of text say lies among the frames, in a form that is not read here
      if (this.hasDropped) throw new UnreadableMedia('Texts within a fragmented MP4 cannot be removed');
    } else {
      for (const content of this.contents) {
        for await (const [from, to] of this.samples.gapsIn(content)) await this.file.blank(from, to);
      }
    }
    if (end < size) await this.file.cut(end);
    const facts = { ...this.sizes.find(({ width }) => width !== undefined), duration: this.duration };
    const isSound = this.kinds.has('soun') && ![...this.kinds].some((kind) => PICTURES.has(kind));
    return isSound ? { ...facts, isSound } : facts;
  }

  /** Visits the boxes within a box. Returns where they end: behind may lie something that is none. */
  private async over({ type: parent, contentStart, end }: Box): Promise<number> {
    let at = contentStart;
    while (at < end) {
      const box = await this.boxAt(at, end);
      if (!box) return at;
      if (NEEDED[parent]?.has(box.type)) await this.visit(box, parent);
      else await this.blankBox(box);
      at = box.end;
    }
    return at;
  }

  private async visit(box: Box, parent: string): Promise<void> {
    this.seen.add(box.type);
    const within = `${parent}/${box.type}`;
    if (!this.track.has(within)) this.track.set(within, box);
    if (box.type === 'trak') await this.visitTrack(box);
    else if (box.type === 'mdat') this.contents.push(box);
    else if (box.type in NEEDED) await this.visitAll(box);
    else await this.blankFields(box);
  }

  private async visitAll(box: Box): Promise<void> {
    await this.file.blank(await this.over(box), box.end);
  }

  private async visitTrack(box: Box): Promise<void> {
    const track: TrackBoxes = (this.track = new Map());
    await this.visitAll(box);
    const handler = await this.fieldsOf(track.get('mdia/hdlr'));
    const kind = handler.toString('latin1', 8, 12);
    const isKept = this.handlers.has(kind);
    this.kinds.add(kind);
    await this.samples.add(track, isKept);
    if (isKept) {
      this.sizes.push(sizeIn(await this.fieldsOf(track.get('trak/tkhd'))));
      await this.blankList(track.get('stbl/stsd'), (list) => blankSampleDescriptions(this.file, list, kind === 'vide'));
    } else {
      this.hasDropped = true;
      await this.blankBox(box);
    }
  }

  /** Blanks the dates, names and paths among the fields of a box. */
  private async blankFields(box: Box): Promise<void> {
    const { type, contentStart, end } = box;
    if (DATED.has(type)) {
      const fields = await this.fieldsOf(box);
      if (type === 'mvhd') this.duration = durationIn(fields);
      await this.file.blank(contentStart + 4, Math.min(end, contentStart + (fields[0] === 1 ? 20 : 12)));
    } else if (type === 'hdlr') await this.file.blank(Math.min(end, contentStart + 12), end);
    else if (type === 'ftyp' || type === 'styp') await this.blankList(box, (list) => replaceBrands(this.file, list));
    else if (type === 'dref') await this.blankList(box, (list) => blankReferences(this.file, list));
  }

  private async blankList(box: Box | undefined, blank: (content: Buffer) => Promise<void>): Promise<void> {
    if (!box) return;
    const length = box.end - box.contentStart;
    if (length > LONGEST_LIST) throw damaged();
    const content = Buffer.from(await this.file.exactly(box.contentStart, length));
    await blank(content);
    await this.file.write(content, box.contentStart);
  }

  /** Undefined where nothing is that could be a box. Content that was cut off ends with the file. */
  private async boxAt(start: number, end: number): Promise<Box | undefined> {
    const header = await this.file.upTo(start, 16);
    if (header.length < 8) return undefined;
    const type = header.toString('latin1', 4, 8);
    const short = header.readUInt32BE(0);
    const headerLength = short === 1 ? 16 : 8;
    if (header.length < headerLength) return undefined;
    const long = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - start : short;
    const size = type === 'mdat' ? Math.min(long, end - start) : long;
    if (size < headerLength || start + size > end) return undefined;
    return { type, start, contentStart: start + headerLength, end: start + size };
  }

  /** Makes it a box of nothing (`free`). */
  private async blankBox({ start, contentStart, end }: Box): Promise<void> {
    await this.file.write(Buffer.from('free'), start + 4);
    await this.file.blank(contentStart, end);
  }

  private async fieldsOf(box: Box | undefined): Promise<Buffer> {
    if (!box) return Buffer.alloc(0);
    return Buffer.from(await this.file.upTo(box.contentStart, Math.min(LONGEST_FIELDS, box.end - box.contentStart)));
  }
}

const DATED = new Set(['mvhd', 'tkhd', 'mdhd']);

/** The list of brands: those that name a camera or its maker become the common one, and the version none. */
async function replaceBrands(file: EditedFile, content: Buffer): Promise<void> {
  for (let at = 0; at + 4 <= content.length; at += 4) {
    await file.step();
    if (at === 4) content.fill(0, 4, 8);
    else if (!BRAND.test(content.toString('latin1', at, at + 4))) content.write('isom', at, 'latin1');
  }
}

/** Where the content is: in this file. Paths on the author's disk are blanked. */
async function blankReferences(file: EditedFile, content: Buffer): Promise<void> {
  for (let at = 8; at + 12 <= content.length;) {
    await file.step();
    const end = at + Math.max(content.readUInt32BE(at), 12);
    if (end > content.length) throw damaged();
    content.fill(0, at + 8, end).writeUInt32BE(1, at + 8);
    at = end;
  }
}

/** Of `mvhd`, in seconds. */
function durationIn(fields: Buffer): number | undefined {
  const isLong = fields[0] === 1;
  if (fields.length < (isLong ? 32 : 20)) return undefined;
  const scale = fields.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(fields.readBigUInt64BE(24)) : fields.readUInt32BE(16);
  return scale > 0 && units > 0 ? units / scale : undefined;
}

/** Of `tkhd`: the size at which a track is shown, turned as its matrix says. Nothing for sound. */
function sizeIn(fields: Buffer): MediaFacts {
  const end = fields[0] === 1 ? 96 : 84;
  if (fields.length < end) return {};
  const across = Math.round(fields.readUInt32BE(end - 8) / 65_536);
  const down = Math.round(fields.readUInt32BE(end - 4) / 65_536);
  if (across === 0 || down === 0) return {};
  const isTurned = fields.readInt32BE(end - 44) === 0; // the matrix begins with 0 when it turns by a quarter
  return isTurned ? { width: down, height: across } : { width: across, height: down };
}
