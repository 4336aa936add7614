import { Injectable, type OnModuleInit } from '@nestjs/common';
import { textOfHtml, withoutFormatting, withoutQuoteLink } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { ByteCache, Metrics, packTexts } from '../../platform/index.js';
import type { PollFacts } from './poll.render.js';
import type { PlainStatusJson } from './status.shape.js';

const MAX_BYTES = 6 * 1024 * 1024;
const LENGTH_BYTES = 4;
const HEADER_BYTES = 2 * LENGTH_BYTES;

/** The parts of a status's JSON that are the same for every viewer: members of objects, without their braces. */
export interface Body<Text = Buffer> {
  /** Shown on the status and on each boost of it. */
  readonly shared: Text;
  /** Shown on the status only. */
  readonly own: Text;
  /** Members of the object under the brand. */
  readonly service: Text;
}

/**
 * Caches rendered bodies by id and version. It is never stale: every write to a status raises its version, every page
 * reads the version, and changes of emoji and settings start a new epoch.
 */
@Injectable()
export class StatusBodyCache implements OnModuleInit {
  private readonly cache = new ByteCache(MAX_BYTES);
  private epoch = 0;

  constructor(
    private readonly emoji: EmojiCache,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.watchCache('status_bodies', this.cache);
    this.emoji.onChange(() => (this.epoch += 1));
    this.settings.onChange(['media_proxy', 'media_preview_proxy', 'instance.compat_brand'], () => (this.epoch += 1));
  }

  get(id: string, version: number): Body | undefined {
    const packed = this.cache.get(this.key(id, version));
    return packed && unpack(packed);
  }

  /** Stores a new body, and returns it as bytes. */
  put(id: string, version: number, body: Body<string>): Body {
    const packed = pack(body);
    this.cache.set(this.key(id, version), packed);
    return unpack(packed);
  }

  /** A body for viewers who want no formatting. Rendered and cached on first use. */
  unformatted(id: string, version: number, { shared, own, service }: Body): Body {
    const key = `${this.key(id, version)}:plain`;
    const kept = this.cache.get(key);
    if (kept) return unpack(kept);
    const packed = pack({ shared: unformattedMembers(shared), own: own.toString(), service: service.toString() });
    // The epoch may have changed since the body was read.
    const isOfThisEpoch = this.get(id, version)?.shared.buffer === shared.buffer;
    if (isOfThisEpoch) this.cache.set(key, packed);
    return unpack(packed);
  }

  private key(id: string, version: number): string {
    return `${this.epoch}:${id}:${version}`;
  }
}

/** Whether the post is local. */
export function isLocalBody({ service }: Body<string | Buffer>): boolean {
  return (JSON.parse(`{${service.toString()}}`) as PlainStatusJson['svc']).local;
}

/** The body of a post whose quote is shown: without the link that stands for the quote elsewhere. */
export function withoutQuoteFallback({ shared, own, service }: Body<string | Buffer>): Body<string | Buffer> {
  if (!shared.includes('quote-inline')) return { shared, own, service };
  const members = JSON.parse(`{${shared.toString()}}`) as Pick<PlainStatusJson, 'content'>;
  const content = withoutQuoteLink(members.content);
  const extension = JSON.parse(`{${service.toString()}}`) as PlainStatusJson['svc'];
  const text = { 'text/plain': textOfHtml(content) };
  return { shared: membersOf({ ...members, content }), own, service: membersOf({ ...extension, content: text }) };
}

/** The text of a post for filters: the content warning, the text, the poll options and the media descriptions. */
export function readableText({ shared, service }: Body<string | Buffer>, poll: PollFacts | undefined): string {
  const { media_attachments: media } = JSON.parse(`{${shared.toString()}}`) as Pick<
    PlainStatusJson,
    'media_attachments'
  >;
  const { spoiler_text: spoiler, content } = JSON.parse(`{${service.toString()}}`) as PlainStatusJson['svc'];
  const descriptions = media.map(({ description }) => description ?? '');
  const titles = poll?.options.map(({ title }) => title) ?? [];
  return [spoiler['text/plain'], content['text/plain'], ...titles, ...descriptions].join('\n');
}

function unformattedMembers(shared: Buffer): string {
  const members = JSON.parse(`{${shared.toString()}}`) as Pick<PlainStatusJson, 'content'>;
  return membersOf({ ...members, content: withoutFormatting(members.content) });
}

/** The members of an object as JSON, without its braces. */
export function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** Packs a body into one buffer: the lengths of the first two parts, then all three parts. */
function pack(body: Body<string>): Buffer {
  const packed = packTexts(HEADER_BYTES, [body.shared, body.own, body.service]);
  packed.writeUInt32LE(Buffer.byteLength(body.shared), 0);
  packed.writeUInt32LE(Buffer.byteLength(body.own), LENGTH_BYTES);
  return packed;
}

function unpack(packed: Buffer): Body {
  const ownStart = HEADER_BYTES + packed.readUInt32LE(0);
  const serviceStart = ownStart + packed.readUInt32LE(LENGTH_BYTES);
  return {
    shared: packed.subarray(HEADER_BYTES, ownStart),
    own: packed.subarray(ownStart, serviceStart),
    service: packed.subarray(serviceStart),
  };
}
