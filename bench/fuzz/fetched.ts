import type { Data } from '../data.ts';
import { PUBLIC } from '../inbox.ts';
import { requestBytes } from '../load.ts';
import { DocumentServer, type Members } from './document-server.ts';

/** The host of the hostile server; the server under attack has to allow this address. */
export const HOSTILE_ADDRESS = '127.6.0.1';
const MOST_BYTES = 900_000;
const FIELDS = 100;
const FIELD_LENGTH = 9_000;

/** Texts that the hostile server's documents hold, and what makes them long. */
export interface HostileTexts {
  readonly seeds: readonly string[];
  readonly formats: readonly string[];
  readonly contentLength: number;
  readonly long: (seed: string, length: number) => string;
}

/** Another server, all of whose documents are hostile: posts, actors and pages that people here look up or link. */
export class HostileServer extends DocumentServer {
  private readonly texts: HostileTexts;

  constructor(texts: HostileTexts) {
    super(HOSTILE_ADDRESS);
    this.texts = texts;
  }

  override async open(): Promise<void> {
    await super.open();
    this.addActor('author');
  }

  /** Requests of a reader that look up posts with long texts. */
  posts({ reader }: Data, times: number): Buffer[] {
    const { formats, seeds, long, contentLength } = this.texts;
    const notes = formats.flatMap((mediaType) =>
      seeds.map((seed) => ({ content: long(seed, contentLength), mediaType })),
    );
    return repeated(times, notes, (note, name) => lookUp(reader, this.addNote(`texts/${name}`, note)));
  }

  /** Requests of a reader that look up accounts with long profiles. */
  actors({ reader }: Data, times: number): Buffer[] {
    const { seeds, long, contentLength } = this.texts;
    return repeated(times, seeds, (seed, name) => {
      const field = { type: 'PropertyValue', name: long(seed, FIELD_LENGTH), value: long(seed, FIELD_LENGTH) };
      const attachment = Array.from({ length: FIELDS / 2 }, () => field);
      const profile = { name: long(seed, contentLength), summary: long(seed, contentLength), attachment };
      return lookUp(reader, this.addActor(`actor-${name}`, profile));
    });
  }

  /** Requests of a reader that look up posts of hostile shapes. */
  shapes({ reader }: Data, times: number): Buffer[] {
    const lists = (count: number, of: (at: number) => unknown) => Array.from({ length: count }, (_, at) => of(at));
    const shapes: Members[] = [
      { tag: JSON.parse(`${'['.repeat(58)}${']'.repeat(58)}`) as unknown },
      { cc: lists(40_000, String) },
      { tag: lists(10_000, (at) => ({ type: 'Hashtag', name: `#tag${at}` })) },
      {
        tag: lists(7_000, (at) => ({
          type: 'Mention',
          href: `${this.origin}/actors/${at}`,
          name: `@a${at}@b.example`,
        })),
      },
      { tag: lists(7_000, (at) => ({ type: 'Emoji', name: `:e${at}:`, icon: { url: `${this.origin}/${at}.png` } })) },
      {
        attachment: lists(5_000, (at) => ({
          type: 'Document',
          url: `${this.origin}/${at}.png`,
          name: 'a '.repeat(50),
        })),
      },
      { type: 'Question', oneOf: lists(5_000, (at) => ({ type: 'Note', name: `option ${at}` })) },
      Object.fromEntries(lists(40_000, (at) => [`k${at}`, 1]) as [string, number][]),
      { replies: { type: 'Collection', items: lists(5_000, (at) => `${this.origin}/notes/none/${at}`) } },
      { contentMap: Object.fromEntries(lists(10_000, (at) => [`x-${at}`, '<p>x</p>']) as [string, string][]) },
    ];
    return repeated(times, shapes, (shape, name) => lookUp(reader, this.addNote(`shapes/${name}`, shape)));
  }

  /** Requests of a writer that post links to long pages, whose previews the server asks for. */
  pages({ writer }: Data, times: number): Buffer[] {
    const { seeds, long } = this.texts;
    const beginnings = ['<title>', '<meta property="og:title" content="', '<!--', '<a b="', '<script>', ...seeds];
    return repeated(times, beginnings, (beginning, name) => {
      const head = `<!doctype html><html><head><meta property="og:title" content="Tea"><meta property="og:description" content="`;
      const [path, some] = [`/pages/${name}`, long(beginning, MOST_BYTES / 2)];
      this.addText(path, 'text/html', `${head}${some.replaceAll('"', "'")}">${some}`);
      return requestBytes('/api/v1/statuses', { authorization: `Bearer ${writer}` }, { status: this.origin + path });
    });
  }

  private addNote(name: string, members: Members): string {
    const id = `${this.origin}/notes/${name}`;
    const note = {
      id,
      type: 'Note',
      attributedTo: `${this.origin}/actors/author`,
      content: '<p>Tea</p>',
      to: [PUBLIC],
    };
    return this.add(id, { ...note, published: '2026-01-01T00:00:00Z', ...members });
  }
}

function repeated<T>(times: number, all: readonly T[], make: (each: T, name: string) => Buffer): Buffer[] {
  return Array.from({ length: times }, (_, round) => all.map((each, at) => make(each, `${round}-${at}`))).flat();
}

function lookUp(token: string, url: string): Buffer {
  return requestBytes(`/api/v2/search?resolve=true&q=${encodeURIComponent(url)}`, { authorization: `Bearer ${token}` });
}
