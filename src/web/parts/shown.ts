import { type AccountJson, defaultAvatarUrl } from '../../accounts/index.js';
import { cleanText, extensionOf, profileUrl, textOfHtml, withLinkedPictures } from '../../common/index.js';
import {
  type PollJson,
  type PlainStatusJson,
  PUBLIC,
  type StatusJson,
  type VisibilityName,
} from '../../statuses/index.js';

const QUOTE_LENGTH = 280;

/** The pictures of custom emoji, by name. */
export type Emojis = ReadonlyMap<string, string>;

/** The context of pages and feeds beside the API's bodies. */
export interface ShownContext {
  readonly brand: string;
  readonly baseUrl: string;
  /** Whether a page may load a picture; a third party's is left out, or becomes a link. */
  readonly isTrusted: (url: string) => boolean;
}

/** A person on a page or in a feed. */
export interface ShownPerson {
  readonly id: string;
  readonly name: string;
  /** With the domain: `alice@svc.test`. */
  readonly handle: string;
  /** The person's page, local or remote. */
  readonly url: string;
  readonly avatar: string;
  /** Whether search engines may index it. */
  readonly isFindable: boolean;
  readonly isBot: boolean;
  /** Whether its owner approves followers. */
  readonly isLocked: boolean;
  /** The shown role of a member of the staff here. */
  readonly role: 'admin' | 'moderator' | undefined;
  readonly emojis: Emojis;
}

/** An emoji with which people reacted to a post. */
export interface ShownReaction {
  readonly name: string;
  /** The picture of a custom emoji, if a page may show it. */
  readonly picture: string | undefined;
  readonly count: number;
  readonly isOwn: boolean;
}

/** What people did with a post. */
export interface ShownCounts {
  readonly replies: number;
  readonly reblogs: number;
  readonly favourites: number;
  readonly quotes: number;
}

/** What the viewer did with a post; nothing for visitors. */
export interface ShownState {
  readonly isFavourited: boolean;
  readonly isReblogged: boolean;
  readonly isBookmarked: boolean;
  readonly isPinned: boolean;
  readonly isThreadMuted: boolean;
}

/** The preview of a page that a post links to. */
export interface ShownCard {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly provider: string;
  /** Undefined without a picture that a page may show. */
  readonly image: string | undefined;
}

/** A local account as visitors see it. */
export interface ShownProfile {
  readonly person: ShownPerson;
  /** Its actor id. */
  readonly uri: string;
  readonly nickname: string;
  /** The profile text, sanitised when it was stored. */
  readonly html: string;
  /** The same as text. */
  readonly about: string;
  readonly header: string;
  /** Values are sanitised HTML. */
  readonly fields: readonly { readonly name: string; readonly value: string; readonly verifiedAt: string | null }[];
  readonly createdAt: string;
  readonly posts: number;
  /** Undefined if hidden. */
  readonly followers: number | undefined;
  readonly following: number | undefined;
  /** Whether its owner shows who they are. */
  readonly showsFollowers: boolean;
  readonly showsFollowing: boolean;
  readonly movedTo: ShownPerson | undefined;
}

/** A file of a post. */
export interface ShownFile {
  readonly id: string;
  readonly type: 'image' | 'video' | 'audio' | 'unknown';
  /** Whether pages show the file, or only link to it. */
  readonly isNotHidden: boolean;
  readonly url: string;
  readonly previewUrl: string;
  readonly mimeType: string;
  readonly description: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** A post as pages and feeds show it. */
export interface ShownStatus {
  /** The cursor of the next page: for a boost its own id. */
  readonly cursor: string;
  readonly id: string;
  /** Its permanent id as an object. */
  readonly uri: string;
  readonly url: string;
  readonly isLocal: boolean;
  /** Whether its visibility is public. */
  readonly isListed: boolean;
  readonly visibility: VisibilityName;
  readonly author: ShownPerson;
  /** The booster; undefined without a boost. */
  readonly reblogger: ShownPerson | undefined;
  /** Sanitised when it was stored. */
  readonly html: string;
  readonly text: string;
  /** The content warning; empty for none. */
  readonly warning: string;
  readonly isSensitive: boolean;
  readonly language: string | null;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly isAnswer: boolean;
  /** The author of the post that it answers: `bob@remote.example`. */
  readonly answerTo: string | null;
  /** The post that it answers, where the viewer may see it. */
  readonly parentId: string | null;
  readonly counts: ShownCounts;
  readonly reactions: readonly ShownReaction[];
  readonly state: ShownState;
  /** The titles of the viewer's filters that warn of it. */
  readonly filters: readonly string[];
  readonly files: readonly ShownFile[];
  readonly tags: readonly string[];
  readonly poll: PollJson | null;
  readonly card: ShownCard | undefined;
  readonly emojis: Emojis;
  readonly quote: ShownQuote | undefined;
}

/** A quoted post. */
export interface ShownQuote {
  readonly id: string;
  readonly url: string;
  readonly author: ShownPerson;
  /** Its first words, or its content warning. */
  readonly words: string;
}

/** Takes the shown parts of an entry in a list of statuses. */
export function shownStatus(status: StatusJson, context: ShownContext): ShownStatus {
  const post = status.reblog ?? status;
  const own = extensionOf<PlainStatusJson['svc']>(post, context.brand);
  return {
    cursor: status.id,
    id: post.id,
    uri: post.uri,
    url: post.url,
    isLocal: post.account.local,
    isListed: PUBLIC.includesName(post.visibility),
    visibility: post.visibility,
    author: shownPerson(post.account, context),
    reblogger: status.reblog === null ? undefined : shownPerson(status.account, context),
    html: withLinkedPictures(post.content, context.isTrusted),
    text: own.content['text/plain'],
    warning: post.spoiler_text,
    isSensitive: post.sensitive,
    language: post.language,
    createdAt: post.created_at,
    editedAt: post.edited_at,
    isAnswer: post.in_reply_to_account_id !== null,
    answerTo: own.in_reply_to_account_acct,
    parentId: post.in_reply_to_id,
    counts: countsOf(post),
    reactions: own.emoji_reactions.map((reaction) => shownReaction(reaction, context)),
    state: {
      isFavourited: post.favourited,
      isReblogged: post.reblogged,
      isBookmarked: post.bookmarked,
      isPinned: post.pinned,
      isThreadMuted: own.thread_muted,
    },
    filters: status.filtered.map(({ filter }) => filter.title),
    files: post.media_attachments.map((file) => shownFile(file, context)),
    tags: post.tags.map(({ name }) => name),
    poll: post.poll,
    card: shownCard(post, context),
    emojis: emojisOf(post, context),
    quote: shownQuote(post, context),
  };
}

function shownCard({ card }: PlainStatusJson, { isTrusted }: ShownContext): ShownCard | undefined {
  if (card === null) return undefined;
  const { url, title, description, provider_name: provider, image } = card;
  return { url, title, description, provider, image: image !== null && isTrusted(image) ? image : undefined };
}

function countsOf(post: PlainStatusJson): ShownCounts {
  const { replies_count: replies, reblogs_count: reblogs, favourites_count: favourites, quotes_count: quotes } = post;
  return { replies, reblogs, favourites, quotes };
}

function shownReaction(
  { name, count, me, url }: PlainStatusJson['emoji_reactions'][number],
  { isTrusted }: ShownContext,
): ShownReaction {
  return { name, count, isOwn: me, picture: url && isTrusted(url) ? url : undefined };
}

function shownQuote(post: PlainStatusJson, context: ShownContext): ShownQuote | undefined {
  const { quote } = extensionOf<PlainStatusJson['svc']>(post, context.brand);
  if (quote === null) return undefined;
  const text = extensionOf<PlainStatusJson['svc']>(quote, context.brand).content['text/plain'];
  return {
    id: quote.id,
    url: quote.url,
    author: shownPerson(quote.account, context),
    words: excerpt(quote.spoiler_text || text, QUOTE_LENGTH),
  };
}

/** The pictures of the custom emoji of something that people wrote. */
export function emojisOf({ emojis }: Pick<PlainStatusJson, 'emojis'>, { isTrusted }: ShownContext): Emojis {
  return new Map(
    emojis.filter(({ static_url: url }) => isTrusted(url)).map((emoji) => [emoji.shortcode, emoji.static_url]),
  );
}

/** The profile on the pages of an account. */
export function shownProfile(account: AccountJson, context: ShownContext): ShownProfile {
  const own = extensionOf<AccountJson['svc']>(account, context.brand);
  return {
    person: shownPerson(account, context),
    uri: own.ap_id,
    nickname: account.username,
    html: withLinkedPictures(account.note, context.isTrusted),
    about: textOfHtml(account.note),
    header: account.header,
    fields: account.fields.map(({ name, value, verified_at: verifiedAt }) => ({ name, value, verifiedAt })),
    createdAt: account.created_at,
    posts: account.statuses_count,
    followers: own.hide_followers_count ? undefined : account.followers_count,
    following: own.hide_follows_count ? undefined : account.following_count,
    showsFollowers: !own.hide_followers,
    showsFollowing: !own.hide_follows,
    movedTo: account.moved ? shownPerson(account.moved, context) : undefined,
  };
}

/** Takes the shown parts of an account. */
export function shownPerson(account: AccountJson, context: ShownContext): ShownPerson {
  const { baseUrl, isTrusted } = context;
  return {
    id: account.id,
    name: account.display_name,
    handle: account.fqn,
    url: account.local ? profileUrl(baseUrl, account.username) : account.url,
    avatar: isTrusted(account.avatar) ? account.avatar : defaultAvatarUrl(baseUrl),
    isFindable: account.discoverable,
    isBot: account.bot,
    isLocked: account.locked,
    role: roleOf(extensionOf<AccountJson['svc']>(account, context.brand)),
    emojis: emojisOf(account, context),
  };
}

function roleOf({ is_admin: isAdmin, is_moderator: isModerator }: AccountJson['svc']): ShownPerson['role'] {
  if (isAdmin === true) return 'admin';
  return isModerator === true ? 'moderator' : undefined;
}

/** The beginning of a text, in one line of up to `length` characters. Cuts a word only if it takes more than half the line. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const start = cleanText(line, { maxLength: length });
  if (start.length === line.length) return line;
  const words = start.replace(/\s+\S*$/, '');
  return `${2 * words.length > start.length ? words : start}…`;
}

/** The first video or recording of a post. */
export function playable({ files }: ShownStatus): ShownFile | undefined {
  return files.find(({ type }) => type === 'video' || type === 'audio');
}

/** The address of a tag's page. */
export function tagPageUrl(baseUrl: string, name: string): string {
  return `${baseUrl}/tags/${encodeURIComponent(name)}`;
}

/** Takes the shown parts of a file. */
export function shownFile(
  file: PlainStatusJson['media_attachments'][number],
  { brand, isTrusted }: ShownContext,
): ShownFile {
  const { width, height } = file.meta?.original ?? {};
  return {
    id: file.id,
    type: file.type,
    isNotHidden: isTrusted(file.url) && isTrusted(file.preview_url ?? file.url),
    url: file.url,
    previewUrl: file.preview_url ?? file.url,
    mimeType: extensionOf<typeof file.svc>(file, brand).mime_type,
    description: file.description ?? '',
    width,
    height,
  };
}
