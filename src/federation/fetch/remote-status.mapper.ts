import { type AccountRow, serverNamesOf } from '../../accounts/index.js';
import { type StatusTexts, unique } from '../../common/index.js';
import { QuotePolicy, QUOTES_ASKED, type RemoteStatus, Visibility } from '../../statuses/index.js';
import type { RemoteObject } from '../wire/object.js';
import { PUBLIC, sameHost } from '../wire/uris.js';

/** The accounts that an object addresses, as far as they are known here. */
export interface Addressed {
  readonly author: AccountRow;
  /** By actor id. */
  readonly accounts: ReadonlyMap<string, AccountRow>;
}

/** What an object refers to, as far as it is stored here. */
export interface References {
  readonly parent: RemoteStatus['parent'];
  readonly quoteOfId: string | null;
  readonly quoteApproval: string | null;
}

/** The post that an object describes (ActivityPub wire, objects). */
export function remoteStatus(
  object: RemoteObject,
  { html, text, spoiler }: StatusTexts,
  { author, accounts }: Addressed,
  refers: References,
): RemoteStatus {
  return {
    uri: object.id,
    url: object.url,
    authorId: author.id,
    visibility: visibilityOf(object, author.followersUrl),
    publishedAt: object.published ?? new Date(),
    editedAt: object.updated,
    asOf: object.asOf,
    html,
    text,
    spoiler,
    sensitive: object.sensitive,
    language: object.language,
    emojis: object.emojis,
    contextUri: ownContext(object, author),
    inReplyToUri: object.inReplyTo,
    parent: refers.parent,
    groupId: groupOf(object, accounts),
    quoteUri: object.quoteUri,
    quoteOfId: refers.quoteOfId,
    quoteApproval: refers.quoteApproval,
    quotePolicy: statedQuotePolicy(object, author.followersUrl),
    mentions: mentionsOf(object, { author, accounts }),
    tags: object.hashtags,
    attachments: object.attachments,
    poll: object.poll,
    counts: object.counts,
  };
}

/** The visibility that follows from the addressees (spec §10.8). */
export function visibilityOf(
  { to, cc, directMessage = false }: Pick<RemoteObject, 'to' | 'cc'> & Partial<Pick<RemoteObject, 'directMessage'>>,
  followersUri: string | null,
): number {
  if (to.includes(PUBLIC)) return Visibility.public;
  if (cc.includes(PUBLIC)) return Visibility.unlisted;
  const isForFollowers = followersUri !== null && [...to, ...cc].includes(followersUri);
  return isForFollowers && !directMessage ? Visibility.private : Visibility.direct;
}

/** Who may quote the post, as far as it says so: everybody, the followers, those who ask, or its author alone. */
function statedQuotePolicy({ canQuote }: RemoteObject, followersUri: string | null): number | null {
  if (!canQuote) return null;
  const includes = (uris: readonly string[], uri: string | null) => uri !== null && uris.includes(uri);
  if (includes(canQuote.automatic, PUBLIC)) return QuotePolicy.public;
  if (includes(canQuote.automatic, followersUri)) return QuotePolicy.followers;
  const isAsked = includes(canQuote.manual, PUBLIC) || includes(canQuote.manual, followersUri);
  return isAsked ? QUOTES_ASKED : QuotePolicy.nobody;
}

/**
 * A conversation id counts only on the server of the post: a remote post cannot join the conversation of another server.
 * A `tag:` URI names the server by either of its names (RFC 4151).
 */
function ownContext({ context, id }: RemoteObject, author: AccountRow): string | null {
  if (context === null) return null;
  const [, authority] = /^tag:([^,]+),/.exec(context) ?? [];
  const isOwn = authority === undefined ? sameHost(context, id) : serverNamesOf(author).includes(authority);
  return isOwn ? context : null;
}

/** The group in whose thread the object says that it stands (FEP-1b12). */
function groupOf({ audience }: RemoteObject, accounts: Addressed['accounts']): string | null {
  const groups = audience.map((uri) => accounts.get(uri));
  return groups.find((account) => account?.actorType === 'Group')?.id ?? null;
}

/** The named accounts in their order, then those that are only addressed. */
function mentionsOf({ mentions, to, cc }: RemoteObject, { author, accounts }: Addressed): RemoteStatus['mentions'] {
  const named = mentions.map(({ href }) => href);
  const mentioned = new Map<string, boolean>();
  for (const uri of [...named, ...to, ...cc]) {
    const account = accounts.get(uri);
    if (account && account.id !== author.id && !mentioned.has(account.id)) {
      mentioned.set(account.id, !named.includes(uri));
    }
  }
  return [...mentioned].map(([accountId, silent]) => ({ accountId, silent }));
}

/** The addresses that an object mentions or is sent to, but the public and the author's followers. */
export function namedBy(
  { mentions, audience, to, cc }: Pick<RemoteObject, 'mentions' | 'audience' | 'to' | 'cc'>,
  { followersUrl: followers }: AccountRow,
): string[] {
  const uris = unique([...mentions.map(({ href }) => href), ...audience, ...to, ...cc]);
  return uris.filter((uri) => uri !== PUBLIC && uri !== followers);
}

export function descriptionsOf({ attachments }: RemoteStatus): string[] {
  return attachments.map(({ description }) => description);
}

/** The ids of those whom a post names. */
export function namedIn({ mentions }: RemoteStatus): string[] {
  return mentions.filter(({ silent }) => !silent).map(({ accountId }) => accountId);
}

/** The accounts that a post addresses when it names these. */
export function withNamed(mentions: RemoteStatus['mentions'], named: readonly string[]): RemoteStatus['mentions'] {
  const others = mentions.filter(({ accountId, silent }) => silent && !named.includes(accountId));
  return [...named.map((accountId) => ({ accountId, silent: false })), ...others];
}
