import {
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { isShortcode, Json, normalizeEmoji, shortcodesIn, shortcodesInHtml, unique } from '../../common/index.js';
import { Bus, ENV, type Env, ReadCaches, ReloadCoordinator, UnitOfWork } from '../../platform/index.js';
import { CustomEmojiRepository, type CustomEmojiRow } from '../model/custom-emoji.repository.js';
import { EMOJI_CHANGED } from '../model/emoji.events.js';
import { mayMove, STILL } from '../model/pack-names.js';
import type { CustomEmojiJson, EmojiJson, EmojiMapJson, StoredEmoji } from '../model/emoji.shape.js';

/** Texts that may contain emoji. */
export interface Texts {
  readonly plain?: readonly string[];
  /** HTML that is sanitised or made by this server. */
  readonly html?: readonly string[];
}

/** An emoji of a reaction. */
export interface ReactionName {
  /** A Unicode emoji, the shortcode of a custom emoji, or `shortcode@domain` for an emoji of another server. */
  readonly name: string;
  /** Whether any account may react with it. Otherwise the post must have such a reaction already. */
  readonly isOpen: boolean;
}

/** An emoji for ActivityPub documents (toot:Emoji). */
export interface EmojiTag {
  readonly shortcode: string;
  readonly url: string;
  readonly updatedAt: string;
}

interface Known {
  readonly rows: ReadonlyMap<string, CustomEmojiRow>;
  readonly hidden: ReadonlySet<string>;
  readonly disabled: ReadonlyMap<string, CustomEmojiRow>;
  readonly list: Json;
  readonly map: Json;
}

const CUSTOM = /^(:?)([A-Za-z0-9_+-]{1,64})(?:@([a-z0-9.-]{1,253}(?::\d{1,5})?))?\1$/;

/** The tag that gives dashboards and pickers the pack of an emoji. */
const packTag = (pack: string) => `pack:${pack}`;

/**
 * Holds the enabled custom emoji of this server in the memory of every process, so that rendering a text costs no
 * statement.
 */
@Injectable()
export class EmojiCache implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private known: Known;
  private readonly reloads = new ReloadCoordinator('The custom emoji', () => this.uow.outside(() => this.read()));
  private readonly listeners: (() => void)[] = [];
  private leave: (() => void)[] = [];

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly repository: CustomEmojiRepository,
    private readonly bus: Bus,
    private readonly uow: UnitOfWork,
    private readonly caches: ReadCaches,
  ) {
    this.known = this.render([]);
  }

  /** Subscribes before it reads, so that no change is missed. */
  async onModuleInit(): Promise<void> {
    this.leave = [
      this.bus.subscribe(EMOJI_CHANGED, () => this.reloads.now()),
      this.bus.onGap(() => this.reloads.now()),
    ];
    await this.reloads.now();
  }

  onModuleDestroy(): void {
    this.reloads.stop();
  }

  onApplicationShutdown(): void {
    for (const leave of this.leave) leave();
  }

  /** Calls the listener after the cache has reloaded changed emoji. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Resolves when this process has loaded every announced change. */
  settled(): Promise<void> {
    return this.reloads.settled();
  }

  /** `GET /api/v1/custom_emojis` */
  get list(): Json {
    return this.known.list;
  }

  /** `GET C/emoji` */
  get map(): Json {
    return this.known.map;
  }

  has(shortcode: string): boolean {
    return this.known.rows.has(shortcode);
  }

  /** The address of an emoji's picture; null for unknown emoji. */
  urlOf(shortcode: string): string | null {
    const row = this.known.rows.get(shortcode);
    return row ? this.url(row) : null;
  }

  /** Whether the picture belongs only to emoji that are disabled. */
  isHidden(pack: string, file: string): boolean {
    return this.known.hidden.has(keyOf({ pack, file }));
  }

  /** Whether this emoji of that pack is disabled. */
  isDisabled(pack: string, shortcode: string): boolean {
    return this.known.disabled.get(shortcode)?.pack === pack;
  }

  /** The emoji used in local texts, each once, in order. */
  usedIn(texts: Texts): EmojiJson[] {
    return this.rowsIn(texts).map((row) => this.json(row));
  }

  /** Like {@link usedIn}, for ActivityPub documents. */
  tagsOf(texts: Texts): EmojiTag[] {
    return this.rowsIn(texts).map((row) => ({
      shortcode: row.shortcode,
      url: this.url(row),
      updatedAt: row.updatedAt,
    }));
  }

  /** Parses a reaction: a Unicode emoji, or a custom emoji with or without colons. Undefined for other text. */
  reactionName(text: string): ReactionName | undefined {
    const emoji = normalizeEmoji(text);
    if (emoji !== undefined) return { name: emoji, isOpen: true };
    const [, , shortcode, domain] = CUSTOM.exec(text) ?? [];
    if (shortcode === undefined) return undefined;
    if (domain !== undefined && domain !== this.env.handleDomain)
      return { name: `${shortcode}@${domain}`, isOpen: false };
    return { name: shortcode, isOpen: this.has(shortcode) };
  }

  private rowsIn({ plain = [], html = [] }: Texts): CustomEmojiRow[] {
    const { rows } = this.known;
    if (rows.size === 0) return [];
    const names = unique([...html.flatMap(shortcodesInHtml), ...plain.flatMap(shortcodesIn)]);
    return names.flatMap((name) => rows.get(name) ?? []);
  }

  private async read(): Promise<void> {
    this.known = this.render(await this.repository.all());
    for (const listener of this.listeners) listener();
    this.caches.clear();
  }

  private render(rows: readonly CustomEmojiRow[]): Known {
    const shown = rows.filter(({ disabled }) => !disabled);
    const map = Object.fromEntries(
      shown.map((row): [string, EmojiMapJson[string]] => [row.shortcode, this.entry(row)]),
    );
    const visible = new Set(shown.map(keyOf)); // emoji of a pack may share a picture
    return {
      rows: new Map(shown.map((row) => [row.shortcode, row])),
      disabled: new Map(rows.filter(({ disabled }) => disabled).map((row) => [row.shortcode, row])),
      hidden: new Set(rows.map(keyOf).filter((key) => !visible.has(key))),
      list: asBytes(shown.map((row) => this.listed(row))),
      map: asBytes(map),
    };
  }

  private json(row: CustomEmojiRow): EmojiJson {
    const url = this.url(row);
    return { shortcode: row.shortcode, url, static_url: stillUrl(url), visible_in_picker: false };
  }

  private listed(row: CustomEmojiRow): CustomEmojiJson {
    const { category, pack, visibleInPicker: isOffered } = row;
    return { ...this.json(row), visible_in_picker: isOffered, category: category ?? pack, tags: tagsOf(row) };
  }

  private entry(row: CustomEmojiRow): EmojiMapJson[string] {
    return { tags: tagsOf(row), image_url: emojiPath(row) };
  }

  private url(row: CustomEmojiRow): string {
    return this.env.baseUrl + emojiPath(row);
  }
}

/** The name of a reaction within a sentence: custom emoji with their colons. */
export function spokenReaction(name: string): string {
  return isShortcode(name.split('@')[0] ?? '') ? `:${name}:` : name;
}

/** Renders emoji of other servers; `fileUrl` maps their picture addresses. */
export function storedEmoji(stored: readonly StoredEmoji[], fileUrl: (url: string) => string): EmojiJson[] {
  return stored.map(({ shortcode, url, static_url }) => {
    return { shortcode, url: fileUrl(url), static_url: fileUrl(static_url), visible_in_picker: false };
  });
}

/** The address of a picture's still; the picture itself when it cannot move. */
export function stillUrl(url: string): string {
  return mayMove(url) ? `${url}/${STILL}` : url;
}

/** The path of a picture. */
export function emojiPath({ pack, file }: Pick<CustomEmojiRow, 'pack' | 'file'>): string {
  return `/emoji/${encodeURIComponent(pack)}/${encodeURIComponent(file)}`;
}

function tagsOf({ pack, tags }: CustomEmojiRow): string[] {
  return [packTag(pack), ...tags];
}

function keyOf({ pack, file }: Pick<CustomEmojiRow, 'pack' | 'file'>): string {
  return `${pack}/${file}`;
}

function asBytes(value: unknown): Json {
  return Json.join([Json.of(value).toBuffer()]);
}
