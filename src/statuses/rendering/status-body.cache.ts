import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RENAMES } from '../../accounts/index.js';
import { textOfHtml, withoutFormatting, withoutQuoteLink } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { ByteCache, Metrics, packTexts, ReadCaches } from '../../platform/index.js';
import type { PollFacts } from './poll.render.js';
import type { PlainStatusJson } from './status.shape.js';

const MAX_BYTES = 6 * 1024 * 1024;
const LENGTH_BYTES = 4;
/** The lengths of all parts but the last one, then a byte with the flags. */
const FLAGS_AT = 3 * LENGTH_BYTES;
const HEADER_BYTES = FLAGS_AT + 1;
const IS_LOCAL = 1;
const HAS_QUOTE_LINK = 2;

/**
 * The parts of a status's JSON that are the same for every viewer, as members of objects without their braces, and the
 * facts about it that are asked for: nothing needs to parse the JSON for them.
 */
export interface Body<Text = Buffer> {
  /** Shown on the status and on each boost of it. */
  readonly shared: Text;
  /** Shown on the status only. */
  readonly own: Text;
  /** Members of the object under the brand. */
  readonly service: Text;
  /** The content warning, the text and the media descriptions, in lines, for filters. */
  readonly readable: Text;
  readonly isLocal: boolean;
  /** Whether the text has the link that stands for the quote where quotes are not shown. */
  readonly hasQuoteLink: boolean;
}

/** How a viewer gets the text of a post. */
export interface TextVariant {
  /** Without formatting (`no_rich_text`). */
  readonly plain: boolean;
  /** Without the link that stands for the quote, since the quote is shown. */
  readonly withoutQuoteLink: boolean;
}

/**
 * Caches rendered bodies by id and version. It is never stale: every write to a status raises its version, every page
 * reads the version, and changes of emoji, settings and the handles of accounts, which mentions and answers show, start a new epoch.
 */
@Injectable()
export class StatusBodyCache implements OnModuleInit {
  private readonly cache = new ByteCache(MAX_BYTES);
  private current = 0;

  constructor(
    private readonly emoji: EmojiCache,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly caches: ReadCaches,
  ) {}

  onModuleInit(): void {
    this.metrics.watchCache('status_bodies', this.cache);
    const startEpoch = () => (this.current += 1);
    this.emoji.onChange(startEpoch);
    this.settings.onChange(['media_proxy', 'media_preview_proxy', 'instance.compat_brand'], startEpoch);
    this.caches.changes?.onChange(RENAMES, startEpoch);
  }

  /** Bodies of earlier epochs are never found again. */
  get epoch(): number {
    return this.current;
  }

  get(id: string, version: number): Body | undefined {
    const packed = this.cache.get(this.key(id, version));
    return packed && unpack(packed);
  }

  /** Stores a new body, and returns it as bytes. What was read in an old epoch must not enter a new one. */
  put(id: string, version: number, body: Body<string>, epoch = this.current): Body {
    const packed = pack(body);
    this.cache.set(this.key(id, version, epoch), packed);
    return unpack(packed);
  }

  /** A body with another text, see {@link variantOf}. Made and cached on first use. */
  variant(id: string, version: number, body: Body, wanted: TextVariant): Body {
    if (!isOther(body, wanted)) return body;
    const losesLink = wanted.withoutQuoteLink && body.hasQuoteLink;
    const key = `${this.key(id, version)}:${Number(wanted.plain)}${Number(losesLink)}`;
    const cached = this.cache.get(key);
    if (cached) return unpack(cached);
    const packed = pack(changed(body, wanted));
    // The epoch may have changed since the body was read.
    const isOfThisEpoch = this.get(id, version)?.shared.buffer === body.shared.buffer;
    if (isOfThisEpoch) this.cache.set(key, packed);
    return unpack(packed);
  }

  private key(id: string, version: number, epoch = this.current): string {
    return `${epoch}:${id}:${version}`;
  }
}

/**
 * The body as a viewer gets it. It is made of the rendered body, and not of the row: few viewers want it, and the cache
 * has no rows, so that each of them would cost a statement. Parsing the members takes some microseconds, once.
 */
export function variantOf<Text extends string | Buffer>(
  body: Body<Text>,
  wanted: TextVariant,
): Body<Text> | Body<string> {
  return isOther(body, wanted) ? changed(body, wanted) : body;
}

/** What filters read of a post: its readable text and the options of its poll. */
export function readableText({ readable }: Body<string | Buffer>, poll: PollFacts | undefined): string {
  return [readable.toString(), ...(poll?.options.map(({ title }) => title) ?? [])].join('\n');
}

function isOther({ hasQuoteLink }: Body<string | Buffer>, wanted: TextVariant): boolean {
  return wanted.plain || (wanted.withoutQuoteLink && hasQuoteLink);
}

function changed(body: Body<string | Buffer>, { plain, withoutQuoteLink: isQuoteShown }: TextVariant): Body<string> {
  const { isLocal, hasQuoteLink } = body;
  const members = JSON.parse(`{${body.shared.toString()}}`) as Pick<PlainStatusJson, 'content'>;
  const formatted = plain ? withoutFormatting(members.content) : members.content;
  const losesLink = isQuoteShown && hasQuoteLink;
  const content = losesLink ? withoutQuoteLink(formatted) : formatted;
  return {
    shared: membersOf({ ...members, content }),
    own: body.own.toString(),
    service: losesLink ? withText(body.service, textOfHtml(content)) : body.service.toString(),
    readable: body.readable.toString(),
    isLocal,
    hasQuoteLink: hasQuoteLink && !losesLink,
  };
}

function withText(service: string | Buffer, text: string): string {
  const members = JSON.parse(`{${service.toString()}}`) as PlainStatusJson['svc'];
  return membersOf({ ...members, content: { 'text/plain': text } });
}

/** The members of an object as JSON, without its braces. */
export function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** Packs a body into one buffer: the lengths of its parts and the flags, then the parts. */
function pack(body: Body<string>): Buffer {
  const parts = [body.shared, body.own, body.service, body.readable];
  const packed = packTexts(HEADER_BYTES, parts);
  parts.slice(0, -1).forEach((part, at) => packed.writeUInt32LE(Buffer.byteLength(part), at * LENGTH_BYTES));
  packed.writeUInt8((body.isLocal ? IS_LOCAL : 0) | (body.hasQuoteLink ? HAS_QUOTE_LINK : 0), FLAGS_AT);
  return packed;
}

function unpack(packed: Buffer): Body {
  const ownAt = HEADER_BYTES + packed.readUInt32LE(0);
  const serviceAt = ownAt + packed.readUInt32LE(LENGTH_BYTES);
  const readableAt = serviceAt + packed.readUInt32LE(2 * LENGTH_BYTES);
  const flags = packed.readUInt8(FLAGS_AT);
  return {
    shared: packed.subarray(HEADER_BYTES, ownAt),
    own: packed.subarray(ownAt, serviceAt),
    service: packed.subarray(serviceAt, readableAt),
    readable: packed.subarray(readableAt),
    isLocal: (flags & IS_LOCAL) !== 0,
    hasQuoteLink: (flags & HAS_QUOTE_LINK) !== 0,
  };
}
