import { varint } from '../webm.js';
import { damaged, type EditedFile } from './edited-file.js';
import { blankFlacBlocks } from './flac.js';
import { blankLacedComments } from './ogg.js';

/** One element of the file. Its end is that of the file or of its parent at most. */
interface Element {
  readonly id: number;
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
  /** A recorder that was switched off, or a live stream, gives no size. */
  readonly isUnknown: boolean;
}

/** Ids of EBML elements (RFC 8794, RFC 9559). */
const Id = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cues: 0x1c53bb6b,
  cluster: 0x1f43b675,
  muxer: 0x4d80,
  writer: 0x5741,
  track: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  codecData: 0x63a2,
  encodings: 0x6d80,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  void: 0xec,
} as const;

const IN_FILE = new Set<number>([Id.header, Id.segment]);
const IN_HEADER = new Set([0x4286, 0x42f7, 0x42f2, 0x42f3, 0x4282, 0x4287, 0x4285]);
const IN_SEGMENT = new Set<number>([Id.seekHead, Id.info, Id.tracks, Id.cues, Id.cluster]);
/** The scale of times, the duration, and two names that have to be there. */
const IN_INFO = new Set([0x2ad7b1, 0x4489, Id.muxer, Id.writer]);
const IN_TRACK = new Set([
  ...[Id.trackNumber, Id.trackType, Id.codec, Id.codecData],
  ...[0x73c5, 0xb9, 0x88, 0x55aa, 0x9c, 0x6de7, 0x6df8, 0x23e383, 0x234e7a, 0x23314f, 0x55ee],
  ...[0x22b59c, 0x22b59d, 0xaa, 0x56aa, 0x56bb, 0xe0, 0xe1],
]);
/** The time, the frames, and where it lies. */
const IN_CLUSTER = new Set([0xe7, Id.simpleBlock, Id.blockGroup, 0xa7, 0xab]);
/** What ends a cluster of unknown size; tags, attached files and chapters too. */
const BEHIND_CLUSTER = new Set([...IN_SEGMENT, ...IN_FILE, 0x1254c367, 0x1941a469, 0x1043a770]);
const MAY_BE_ENDLESS = new Set<number>([Id.segment, Id.cluster]);
const VIDEO_AND_SOUND = new Set([1, 2]);
const MOST_BYTES_OF_TRACK = 4_194_304;

/**
 * WebM (RFC 9559): blanks in place all elements but those that players need: titles, dates, programs, tags, attached files,
 * chapters, and tracks of text or data with what they say.
 */
export async function cleanWebm(file: EditedFile): Promise<void> {
  const cleaner = new WebmCleaner(file);
  await file.cut(await cleaner.clean());
}

class WebmCleaner {
  /** Numbers of the tracks that stay. */
  private readonly tracks = new Set<number>();

  constructor(private readonly file: EditedFile) {}

  /** Returns where the file has to end: behind it is nothing that players understand. */
  async clean(): Promise<number> {
    const end = await this.each(0, this.file.size, IN_FILE, (element) =>
      element.id === Id.header ? this.within(element, IN_HEADER) : this.segment(element),
    );
    if (this.tracks.size === 0) throw damaged();
    return end;
  }

  private segment(segment: Element): Promise<number> {
    this.tracks.clear();
    return this.each(segment.contentStart, segment.end, IN_SEGMENT, (element) => this.part(element), IN_FILE);
  }

  private part(element: Element): Promise<number> {
    if (element.id === Id.cluster) return this.cluster(element);
    if (element.id === Id.info) return this.within(element, IN_INFO, (each) => this.blankName(each));
    return element.id === Id.tracks
      ? this.within(element, new Set([Id.track]), (each) => this.track(each))
      : whole(element);
  }

  private cluster(cluster: Element): Promise<number> {
    if (this.tracks.size === 0) throw damaged();
    return this.each(cluster.contentStart, cluster.end, IN_CLUSTER, (element) => this.frames(element), BEHIND_CLUSTER);
  }

  private async frames(element: Element): Promise<number> {
    const { id, contentStart, end } = element;
    if (id !== Id.blockGroup && id !== Id.simpleBlock) return end;
    const at = id === Id.simpleBlock ? contentStart : await this.blockIn(element);
    const track = at === undefined ? undefined : varint(await this.file.upTo(at, 8), 0, { isMarkerKept: false });
    if (!track || !this.tracks.has(track.value)) await this.blank(element);
    return end;
  }

  /** Where the frames of a group begin. */
  private async blockIn(group: Element): Promise<number | undefined> {
    for (let at = group.contentStart; at < group.end;) {
      const element = await this.elementAt(at, group.end);
      if (!element || element.id === Id.block) return element?.contentStart;
      at = element.end;
    }
    return undefined;
  }

  /** Removes a track of anything but video and sound; of the others, what they say of themselves. */
  private async track(track: Element): Promise<number> {
    if (track.end - track.contentStart > MOST_BYTES_OF_TRACK) throw damaged();
    const found = new Map<number, Element>();
    await this.each(track.contentStart, track.end, undefined, (element) => {
      if (found.has(element.id) && IN_TRACK.has(element.id)) throw damaged();
      found.set(element.id, element);
      return whole(element);
    });
    if (found.has(Id.encodings)) throw damaged(); // WebM has none, and comments might lie in them
    const number = await this.numberOf(found.get(Id.trackNumber));
    const type = await this.numberOf(found.get(Id.trackType));
    if (!VIDEO_AND_SOUND.has(type)) {
      await this.blank(track);
      return track.end;
    }
    this.tracks.add(number);
    await this.cleanCodecData(await this.textOf(found.get(Id.codec)), found.get(Id.codecData));
    return this.within(track, IN_TRACK);
  }

  private async cleanCodecData(codec: string, data: Element | undefined): Promise<void> {
    if (!data) return;
    const bytes = Buffer.from(await this.contentOf(data));
    if (codec === 'A_FLAC') blankFlacBlocks(bytes.subarray(bytes.indexOf('fLaC') === 0 ? 4 : 0));
    else blankLacedComments(bytes);
    await this.file.write(bytes, data.contentStart);
  }

  private async blankName({ id, contentStart, end }: Element): Promise<number> {
    if (id === Id.muxer || id === Id.writer) await this.file.blank(contentStart, end);
    return end;
  }

  /** Blanks all but the listed elements of a part whose structure must be whole. */
  private async within(parent: Element, ids: ReadonlySet<number>, visit: Visit = whole): Promise<number> {
    const end = await this.each(parent.contentStart, parent.end, ids, visit);
    if (end < parent.end) throw damaged();
    return end;
  }

  /**
   * Visits the listed elements between two positions and blanks all others. Returns the position where it ended: before the
   * end only at something that is no element, or at one that begins the next part (`after`).
   */
  private async each(
    start: number,
    end: number,
    ids: ReadonlySet<number> | undefined,
    visit: Visit,
    after?: ReadonlySet<number>,
  ): Promise<number> {
    let at = start;
    while (at < end) {
      const element = await this.elementAt(at, end);
      if (!element || after?.has(element.id)) return at;
      if (element.isUnknown && !MAY_BE_ENDLESS.has(element.id)) throw damaged();
      if (!ids || ids.has(element.id)) at = await visit(element);
      else {
        await this.blank(element);
        at = element.end;
      }
    }
    return at;
  }

  private async elementAt(start: number, end: number): Promise<Element | undefined> {
    const header = await this.file.upTo(start, Math.min(16, end - start));
    const id = varint(header, 0, { isMarkerKept: true });
    const size = id && varint(header, id.length, { isMarkerKept: false });
    if (!size) return undefined;
    const contentStart = start + id.length + size.length;
    const last = size.isUnknown ? end : Math.min(end, contentStart + size.value);
    return { id: id.value, start, contentStart, end: last, isUnknown: size.isUnknown };
  }

  /** Makes it an element of nothing, of the same length. */
  private async blank({ start, end }: Element): Promise<void> {
    const length = end - start;
    const isLong = length > 100;
    const header = Buffer.alloc(isLong ? 9 : length);
    header[0] = Id.void;
    if (isLong) {
      header[1] = 1;
      header.writeUIntBE(length - 9, 3, 6);
    } else header[1] = 0x80 | (length - 2);
    await this.file.write(header, start);
    await this.file.blank(start + header.length, end);
  }

  private async contentOf({ contentStart, end }: Element): Promise<Buffer> {
    return this.file.exactly(contentStart, end - contentStart);
  }

  private async numberOf(element: Element | undefined): Promise<number> {
    const bytes = element ? await this.contentOf(element) : Buffer.alloc(0);
    return bytes.length > 0 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : 0;
  }

  private async textOf(element: Element | undefined): Promise<string> {
    return element ? (await this.contentOf(element)).toString('latin1') : '';
  }
}

type Visit = (element: Element) => Promise<number>;

function whole({ end }: Element): Promise<number> {
  return Promise.resolve(end);
}
