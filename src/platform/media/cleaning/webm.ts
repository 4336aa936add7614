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
  seek: 0x4dbb,
  cuePoint: 0xbb,
  cuePositions: 0xb7,
  video: 0xe0,
  alphaMode: 0x53c0,
  additions: 0x75a1,
  addition: 0xa6,
  additionKind: 0xee,
  colour: 0x55b0,
  mastering: 0x55d0,
  projection: 0x7670,
  audio: 0xe1,
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
  ...[0x22b59c, 0x22b59d, 0xaa, 0x56aa, 0x56bb, Id.video, Id.audio],
]);
/** The time, the frames, and where it lies. */
const IN_CLUSTER = new Set([0xe7, Id.simpleBlock, Id.blockGroup, 0xa7, 0xab]);
/** The frames, how long they last, what they refer to, what to leave out at the end, and how transparent they are. */
const IN_GROUP = new Set<number>([Id.block, 0x9b, 0xfb, 0x75a2, Id.additions]);
const IN_ADDITIONS = new Set<number>([Id.addition]);
const IN_ADDITION = new Set<number>([Id.additionKind, 0xa5]);
/** What stays in all other parts that have parts. */
const IN_OTHERS: Readonly<Record<number, ReadonlySet<number>>> = {
  [Id.seekHead]: new Set([Id.seek]),
  [Id.seek]: new Set([0x53ab, 0x53ac]),
  [Id.cues]: new Set([Id.cuePoint]),
  [Id.cuePoint]: new Set([0xb3, Id.cuePositions]),
  [Id.cuePositions]: new Set([0xf7, 0xf1, 0xf0, 0xb2, 0x5378]),
  [Id.video]: new Set([
    ...[0x9a, 0x9d, 0x53b8, 0xb0, 0xba, 0x54aa, 0x54bb, 0x54cc, 0x54dd, 0x54b0, 0x54ba, 0x54b2],
    ...[Id.alphaMode, Id.colour, Id.projection],
  ]),
  [Id.colour]: new Set([
    ...[0x55b1, 0x55b2, 0x55b3, 0x55b4, 0x55b5, 0x55b6, 0x55b7, 0x55b8, 0x55b9, 0x55ba, 0x55bb, 0x55bc, 0x55bd],
    Id.mastering,
  ]),
  [Id.mastering]: new Set([0x55d1, 0x55d2, 0x55d3, 0x55d4, 0x55d5, 0x55d6, 0x55d7, 0x55d8, 0x55d9, 0x55da]),
  [Id.projection]: new Set([0x7671, 0x7672, 0x7673, 0x7674, 0x7675]),
  [Id.audio]: new Set([0xb5, 0x78b5, 0x9f, 0x6264]),
};
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
  /** Of these, those with transparent frames: their transparency stands beside the frames. */
  private readonly transparent = new Set<number>();

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
    this.transparent.clear();
    return this.each(segment.contentStart, segment.end, IN_SEGMENT, (element) => this.part(element), IN_FILE);
  }

  private part(element: Element): Promise<number> {
    if (element.id === Id.cluster) return this.cluster(element);
    if (element.id === Id.info) return this.within(element, IN_INFO, (each) => this.blankName(each));
    return element.id === Id.tracks
      ? this.within(element, new Set([Id.track]), (each) => this.track(each))
      : this.other(element);
  }

  private other(element: Element): Promise<number> {
    const ids = IN_OTHERS[element.id];
    return ids ? this.within(element, ids, (each) => this.other(each)) : whole(element);
  }

  private cluster(cluster: Element): Promise<number> {
    if (this.tracks.size === 0) throw damaged();
    return this.each(cluster.contentStart, cluster.end, IN_CLUSTER, (element) => this.frames(element), BEHIND_CLUSTER);
  }

  private async frames(element: Element): Promise<number> {
    if (element.id === Id.blockGroup) await this.group(element);
    else if (element.id === Id.simpleBlock && !(await this.isOfTrack(element))) await this.blank(element);
    return element.end;
  }

  /** A group has one block (RFC 9559 §5.1.3.5.1). */
  private async group(group: Element): Promise<void> {
    let track: number | undefined;
    const additions: Element[] = [];
    const end = await this.each(group.contentStart, group.end, IN_GROUP, async (element) => {
      if (element.id === Id.additions) additions.push(element);
      if (element.id !== Id.block) return element.end;
      if (track !== undefined || !(await this.isOfTrack(element))) await this.blank(element);
      else track = await this.trackOf(element);
      return element.end;
    });
    if (track === undefined) return this.blank(group);
    await this.file.blank(end, group.end);
    for (const element of additions) {
      if (this.transparent.has(track)) await this.within(element, IN_ADDITIONS, (each) => this.addition(each));
      else await this.blank(element);
    }
  }

  /** Keeps the transparency of frames (RFC 9559 §5.1.3.5.2.3: 1, also when it is not said), and no other data beside them. */
  private async addition(addition: Element): Promise<number> {
    let kind = 1;
    const end = await this.within(addition, IN_ADDITION, async (element) => {
      if (element.id === Id.additionKind) kind = await this.numberOf(element);
      return element.end;
    });
    if (kind !== 1) await this.blank(addition);
    return end;
  }

  /** Whether a block is of a track that stays. */
  private async isOfTrack(block: Element): Promise<boolean> {
    return this.tracks.has(await this.trackOf(block));
  }

  /** The number of the track of a block; -1 when it cannot be read. */
  private async trackOf({ contentStart, end }: Element): Promise<number> {
    const bytes = await this.file.upTo(contentStart, Math.min(8, end - contentStart));
    return varint(bytes, 0, { isMarkerKept: false })?.value ?? -1;
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
    const video = found.get(Id.video);
    if (video) await this.each(video.contentStart, video.end, undefined, (each) => this.noteAlpha(each, number));
    await this.cleanCodecData(await this.textOf(found.get(Id.codec)), found.get(Id.codecData));
    return this.within(track, IN_TRACK, (each) => this.other(each));
  }

  private async noteAlpha(element: Element, track: number): Promise<number> {
    if (element.id === Id.alphaMode && (await this.numberOf(element)) === 1) this.transparent.add(track);
    return element.end;
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
