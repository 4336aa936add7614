import type { EmojiTag } from '../../emoji/index.js';
import { Visibility } from '../../statuses/index.js';
import { documentContext, followersOf, PUBLIC } from '../wire/uris.js';
import { quoteRequestUri } from '../wire/quote.js';
import { emojiTag } from './note.js';
import type { QuoteRequest } from './quote.js';

/** An activity, as it is stored and sent. */
export interface Activity {
  readonly id: string;
  readonly type: string;
  readonly actor: string;
  readonly object: unknown;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly [property: string]: unknown;
}

/** A document that an activity embeds. */
export type Embedded = Readonly<Record<string, unknown>>;

/** A reaction: a Unicode emoji, or a custom one as `:name:` with its picture. */
export interface ReactionContent {
  readonly content: string;
  readonly emoji?: EmojiTag | undefined;
}

/** The addressees of an announcement: those of its visibility, and the author of the post. */
export interface Addressees {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** A track that an account listens to. */
export interface ListenedTrack {
  readonly actor: string;
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  /** Milliseconds; 0 when it is not known. */
  readonly length: number;
  /** Its address; may be empty. */
  readonly link: string;
  readonly published: string;
}

/** The id of the Create of an object: it follows from the object's id, and is not stored. */
export const createUri = (objectUri: string): string => `${objectUri}/activity`;

/** Makes the activities of this server. They are pure: ids that must not repeat are given. */
export class Activities {
  constructor(private readonly baseUrl: string) {}

  /** Creation of a post; addressed like the post (federation: Create). */
  create(note: Embedded, id = createUri(String(note['id']))): Activity {
    const { to, cc } = note as unknown as Addressees;
    const isDirect = ![...to, ...cc].some((each) => each === PUBLIC || each === followersOf(String(note['actor'])));
    const shared = {
      published: note['published'],
      context: note['context'],
      ...audienceOfObject(note),
      ...(isDirect ? { directMessage: true } : {}),
    };
    return this.activity({ id, type: 'Create', actor: String(note['actor']), ...shared, to, cc, object: bare(note) });
  }

  /** An edit; `revision` names it, so that doing it twice sends it once. */
  update(document: Embedded, actor: string, { to, cc }: Addressees, revision: string): Activity {
    const id = `${String(document['id'])}#updates/${revision}`;
    return this.activity({ id, type: 'Update', actor, to, cc, ...audienceOfObject(document), object: bare(document) });
  }

  /** Creation of a chat message; for its one recipient (federation: ChatMessage). */
  createMessage(message: Embedded): Activity {
    const id = createUri(String(message['id']));
    const { to } = message as unknown as Addressees;
    return this.activity({ id, type: 'Create', actor: String(message['actor']), to, cc: [], object: bare(message) });
  }

  deleteMessage(uri: string, actor: string, recipient: string): Activity {
    const object = { id: uri, type: 'Tombstone', formerType: 'ChatMessage' };
    return this.activity({ id: `${uri}#delete`, type: 'Delete', actor, to: [recipient], cc: [], object });
  }

  /** @param revision distinguishes it from the Delete of a post that is deleted: the post goes on for others */
  deleteStatus(uri: string, actor: string, formerType: string, group?: string, revision = ''): Activity {
    const object = { id: uri, type: 'Tombstone', formerType };
    const [cc, audience] = group === undefined ? [[], {}] : [[group], { audience: group }];
    return this.activity({
      id: `${uri}#delete${revision}`,
      type: 'Delete',
      actor,
      to: [PUBLIC],
      cc,
      ...audience,
      object,
    });
  }

  deleteActor(actor: string): Activity {
    return this.activity({ id: `${actor}#delete`, type: 'Delete', actor, to: [PUBLIC], cc: [], object: actor });
  }

  /** A boost. The boost of a followers-only post embeds the post, which cannot be fetched. */
  announce(
    id: string,
    actor: string,
    object: string | Embedded,
    addressees: Addressees & { readonly published: string },
  ): Activity {
    const embedded = typeof object === 'string' ? object : bare(object);
    return this.activity({ id, type: 'Announce', actor, ...addressees, object: embedded });
  }

  like(id: string, actor: string, object: string, author: string): Activity {
    return this.activity({ id, type: 'Like', actor, to: [author], cc: [], object });
  }

  emojiReact(id: string, actor: string, object: string, author: string, { content, emoji }: ReactionContent): Activity {
    const tag = emoji ? { tag: [emojiTag(emoji)] } : {};
    return this.activity({ id, type: 'EmojiReact', actor, to: [author], cc: [], object, content, ...tag });
  }

  /** A vote: a note without content that names one option. */
  vote(id: string, actor: string, question: string, author: string, name: string): Activity {
    const to = [author];
    const object = { id, type: 'Note', attributedTo: actor, actor, to, cc: [], inReplyTo: question, name };
    return this.activity({ id: createUri(id), type: 'Create', actor, to, cc: [], object });
  }

  follow(id: string, actor: string, object: string): Activity {
    return this.activity({ id, type: 'Follow', actor, to: [object], cc: [], object });
  }

  /** The answer to a follow; receivers need the whole Follow, not only its id. */
  answer(
    id: string,
    type: 'Accept' | 'Reject',
    follow: { id: string | null; actor: string; object: string },
  ): Activity {
    const { actor: follower, object: actor } = follow;
    const object = { ...(follow.id === null ? {} : { id: follow.id }), type: 'Follow', actor: follower, object: actor };
    return this.activity({ id, type, actor, to: [follower], cc: [], object });
  }

  /** Asks the author of a post for consent to its quote in a note (FEP-044f). */
  quoteRequest(note: Embedded, quoted: string, author: string): Activity {
    const id = quoteRequestUri(String(note['id']));
    const parts = { actor: String(note['actor']), to: [author], cc: [], object: quoted, instrument: bare(note) };
    return this.activity({ id, type: 'QuoteRequest', ...parts });
  }

  /** The answer to a request for consent to a quote; `approval` is the id of the consent, null for a refusal. */
  answerQuote(id: string, actor: string, request: QuoteRequest, approval: string | null): Activity {
    const object = { type: 'QuoteRequest', ...request };
    if (approval === null) return this.refuse(id, actor, object);
    return this.activity({ id, type: 'Accept', result: approval, actor, to: [request.actor], cc: [], object });
  }

  /** The end of a consent to a quote. */
  deleteQuoteApproval(uri: string, actor: string): Activity {
    return this.activity({ id: `${uri}#delete`, type: 'Delete', actor, to: [PUBLIC], cc: [], object: uri });
  }

  /** The refusal of what another actor asks for. */
  refuse(id: string, actor: string, request: Embedded & { readonly actor: string }): Activity {
    return this.activity({ id, type: 'Reject', actor, to: [request.actor], cc: [], object: request });
  }

  block(id: string, actor: string, object: string): Activity {
    return this.activity({ id, type: 'Block', actor, to: [object], cc: [], object });
  }

  /** Takes an activity back; addressed like it. */
  undo(undone: Activity): Activity {
    const { id, actor, to, cc } = undone;
    return this.activity({ id: `${id}#undo`, type: 'Undo', actor, to, cc, object: bare(undone) });
  }

  /** A report. It goes to the server of the reported account, in the name of this server. */
  flag(id: string, actor: string, account: string, statuses: readonly string[], content: string): Activity {
    return this.activity({ id, type: 'Flag', actor, to: [account], cc: [], object: [account, ...statuses], content });
  }

  move(actor: string, target: string, id: string): Activity {
    return this.activity({ id, type: 'Move', actor, to: [followersOf(actor)], cc: [], object: actor, target });
  }

  /** A post is pinned to a profile, or no longer. */
  feature(id: string, type: 'Add' | 'Remove', actor: string, object: string): Activity {
    const target = `${actor}/collections/featured`;
    return this.activity({ id, type, actor, to: [PUBLIC], cc: [followersOf(actor)], object, target });
  }

  /** What an account listens to: a track, embedded. */
  listen(id: string, { actor, link, ...track }: ListenedTrack, addressees: Addressees): Activity {
    const { title, artist, album, length, published } = track;
    const parts = { actor, attributedTo: actor, ...addressees, published };
    const audio = { id: `${id}/audio`, type: 'Audio', ...parts, title, artist, album, length };
    const object = link === '' ? audio : { ...audio, externalLink: link };
    return this.activity({ id, type: 'Listen', actor, ...addressees, published, object });
  }

  private activity(parts: Activity): Activity {
    return { '@context': documentContext(this.baseUrl), ...parts };
  }
}

/** The addressees of a boost; undefined for one that stays on this server. */
export function reblogAddressing(visibility: number, actor: string, author: string): Addressees | undefined {
  const followers = followersOf(actor);
  const reblogged = author === actor ? [] : [author];
  switch (visibility) {
    case Visibility.public:
      return { to: [PUBLIC, ...reblogged], cc: [followers] };
    case Visibility.unlisted:
      return { to: [followers, ...reblogged], cc: [PUBLIC] };
    case Visibility.private:
      return { to: [followers, ...reblogged], cc: [] };
    default:
      return undefined;
  }
}

/** An activity is for the same group as its object. */
function audienceOfObject({ audience }: Embedded): { audience?: unknown } {
  return audience === undefined ? {} : { audience };
}

/** A document inside of another: only the outermost has a context. */
function bare(document: Embedded): Embedded {
  return { ...document, '@context': undefined };
}
