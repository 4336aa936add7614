type Facts<E, Derived extends keyof E = never> = Omit<E, Derived>;

/** A local or remote post or boost was created. */
export class StatusCreated {
  static readonly type = 'statuses.created';

  readonly statusId: string;
  readonly authorId: string;
  readonly local: boolean;
  readonly visibility: number;
  /** Set for a boost. */
  readonly reblogOfId: string | null;
  readonly inReplyToId: string | null;
  readonly hasMentions: boolean;
  readonly hasTags: boolean;
  readonly isQuote: boolean;
  /** Whether it links to pages, apart from mentions and hashtags. */
  readonly hasLinks: boolean;
  /** Whether an account had subscribed to the author's posts before. */
  readonly hasSubscribers: boolean;
  /** False for an old post or boost of another server, which was fetched. */
  readonly isNews: boolean;

  constructor(facts: Facts<StatusCreated, 'isReblog'>) {
    Object.assign(this, facts);
  }

  get isReblog(): boolean {
    return this.reblogOfId !== null;
  }
}

/** A new public post addresses groups of this server, or an edit lets a public post name them. */
export class GroupAddressed {
  static readonly type = 'statuses.group-addressed';

  constructor(
    readonly statusId: string,
    /** Undefined in events of earlier versions: then all that the post addresses. */
    readonly groupIds?: readonly string[],
  ) {}
}

/** What decided where a post was shown before an edit, besides what it still has. */
export interface FormerPlaces {
  /** The present one where fewer may read the post: {@link StatusNarrowed} tells of that. */
  readonly visibility: number;
  readonly tags: readonly string[];
  readonly hasMedia: boolean;
}

/** A post was edited. */
export class StatusEdited {
  static readonly type = 'statuses.edited';

  readonly statusId: string;
  readonly authorId: string;
  readonly local: boolean;
  readonly visibility: number;
  /** The new version of the post. */
  readonly version: number;
  /** Whether it has one revision more: what people read has changed. */
  readonly isRevision: boolean;
  /** Whether its former poll was reopened, replaced or removed. */
  readonly pollChanged: boolean;
  /** Accounts that it mentions for the first time. */
  readonly mentionedIds: readonly string[];
  /** Whether it is newly among the public posts of one of its hashtags: the tag was added, or the post became public. */
  readonly joinsTag: boolean;
  /** Where it was shown before. */
  readonly former: FormerPlaces;

  constructor(facts: Facts<StatusEdited>) {
    Object.assign(this, facts);
  }
}

/** Fewer accounts than before may read a post. */
export class StatusNarrowed {
  static readonly type = 'statuses.narrowed';

  readonly statusId: string;
  readonly authorId: string;
  readonly local: boolean;
  /** The former one. */
  readonly visibility: number;
  /** Accounts that it addresses. */
  readonly addressedIds: readonly string[];
  /** Its hashtags. */
  readonly tagIds: readonly string[];
  /** Accounts that boosted it; not all of them if there are very many. */
  readonly boosterIds: readonly string[];

  constructor(facts: Facts<StatusNarrowed>) {
    Object.assign(this, facts);
  }
}

/** What a post quotes, the consent to its quote, or who may quote it changed; nothing else of it. */
export class QuoteChanged {
  static readonly type = 'statuses.quote-changed';

  constructor(
    readonly statusId: string,
    readonly authorId: string,
    readonly local: boolean,
    readonly visibility: number,
    /** Whether it shows another quote than before, or none. */
    readonly quotesAnother: boolean,
  ) {}
}

/** A local author took back the consent to a quote. */
export class QuoteRevoked {
  static readonly type = 'statuses.quote-revoked';

  constructor(
    /** The quoted post. */
    readonly statusId: string,
    readonly authorId: string,
    readonly quoterId: string,
    /** The id of the consent. */
    readonly approvalUri: string,
  ) {}
}

/** The card of a recent post changed. */
export class PreviewCardChanged {
  static readonly type = 'statuses.card-shown';

  constructor(
    readonly statusId: string,
    readonly authorId: string,
    readonly visibility: number,
  ) {}
}

/** A post or a boost was deleted. Boosts deleted with their post have no event of their own. */
export class StatusDeleted {
  static readonly type = 'statuses.deleted';

  readonly statusId: string;
  readonly authorId: string;
  /** No row has it any longer; its tombstone does. */
  readonly uri: string;
  readonly local: boolean;
  readonly visibility: number;
  /** Set for a boost. */
  readonly reblogOfId: string | null;
  /** Accounts that it addressed. */
  readonly addressedIds: readonly string[];
  /** The group in whose thread it stood. */
  readonly groupId: string | null;
  /** Its hashtags. */
  readonly tagIds: readonly string[];
  /** Accounts whose boosts were deleted with it; not all of them if there are very many. */
  readonly boosterIds: readonly string[];
  /** The authors of its parent and of what it quotes, and remote authors of replies; not all of them if there are very many. */
  readonly threadAuthorIds: readonly string[];
  /** The address of what it quoted, where the quote was refused or the quoted post deleted: then nobody above is its author. */
  readonly endedQuoteUri: string | null;
  /** Whether it was public before the staff changed its visibility. */
  readonly wasPublic: boolean;

  constructor(facts: Facts<StatusDeleted>) {
    Object.assign(this, facts);
  }
}

/** A participant's view of a conversation changed without a new post: it was read, or its last post is another one. */
export class ConversationChanged {
  static readonly type = 'statuses.conversation-changed';

  constructor(
    /** The id that the conversation has for its owner. */
    readonly conversationId: string,
    readonly ownerId: string,
  ) {}
}

/** An account acted on a status. */
export class StatusAction {
  readonly statusId: string;
  readonly accountId: string;
  /** The author of the status. */
  readonly authorId: string;
  readonly actorLocal: boolean;
  /** Whether the status is local. */
  readonly targetLocal: boolean;

  constructor(action: StatusAction) {
    const { statusId, accountId, authorId, actorLocal, targetLocal } = action;
    Object.assign(this, { statusId, accountId, authorId, actorLocal, targetLocal });
  }
}

/** An account voted in the poll of a post. */
export class PollVoted extends StatusAction {
  static readonly type = 'statuses.poll-voted';

  constructor(
    readonly pollId: string,
    /** Positions of the chosen options. */
    readonly choices: readonly number[],
    action: StatusAction,
  ) {
    super(action);
  }
}

/** The poll of a post has ended. */
export class PollClosed {
  static readonly type = 'statuses.poll-closed';

  constructor(
    readonly statusId: string,
    readonly local: boolean,
    readonly visibility: number,
  ) {}
}

/** The server of a post says that its poll, whose end was announced, is still open. */
export class PollReopened {
  static readonly type = 'statuses.poll-reopened';

  constructor(readonly statusId: string) {}
}

/** An account here looked at a poll of another server whose counts are not those of now. */
export class PollOutdated {
  static readonly type = 'statuses.poll-outdated';

  /** @param uri the address of its post */
  constructor(readonly uri: string) {}
}

export class Favourited extends StatusAction {
  static readonly type = 'statuses.favourited';
}

export class Unfavourited extends StatusAction {
  static readonly type = 'statuses.unfavourited';
}

/** An account reacted to a post. */
export class Reacted extends StatusAction {
  static readonly type = 'statuses.reacted';

  constructor(
    readonly emoji: string,
    action: StatusAction,
  ) {
    super(action);
  }
}

/** An account removed a reaction. */
export class Unreacted extends StatusAction {
  static readonly type = 'statuses.unreacted';

  constructor(
    readonly emoji: string,
    action: StatusAction,
  ) {
    super(action);
  }
}

/** An author pinned a post. */
export class StatusPinned {
  static readonly type = 'statuses.pinned';

  constructor(
    readonly statusId: string,
    readonly accountId: string,
    readonly local: boolean,
    readonly visibility: number,
  ) {}
}

/** An author unpinned a post. */
export class StatusUnpinned {
  static readonly type = 'statuses.unpinned';

  constructor(
    readonly statusId: string,
    readonly accountId: string,
    readonly local: boolean,
    readonly visibility: number,
  ) {}
}
