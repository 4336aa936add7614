type Facts<E, Derived extends keyof E = never> = Omit<E, Derived>;

/** A post or a boost was made, here or elsewhere. */
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
  /** Whether it links to pages, other than mentions and hashtags. */
  readonly hasLinks: boolean;
  /** Whether somebody had asked to be told of the author's posts before it was written. */
  readonly hasSubscribers: boolean;

  constructor(facts: Facts<StatusCreated, 'isReblog'>) {
    Object.assign(this, facts);
  }

  get isReblog(): boolean {
    return this.reblogOfId !== null;
  }
}

/** A post says something else than before. */
export class StatusEdited {
  static readonly type = 'statuses.edited';

  readonly statusId: string;
  readonly authorId: string;
  readonly local: boolean;
  readonly visibility: number;
  /** The post's version since. */
  readonly version: number;
  /** Whether a poll that it had goes on, is another one, or is gone. */
  readonly pollChanged: boolean;
  /** Accounts that it names for the first time. */
  readonly mentionedIds: readonly string[];

  constructor(facts: Facts<StatusEdited>) {
    Object.assign(this, facts);
  }
}

/** A post that was written or edited lately shows the card of a page that it links to, or another one than before. */
export class PreviewCardChanged {
  static readonly type = 'statuses.card-shown';

  constructor(
    readonly statusId: string,
    readonly authorId: string,
    readonly visibility: number,
  ) {}
}

/** A post or a boost is gone. The boosts of a deleted post vanish with it and have no event of their own. */
export class StatusDeleted {
  static readonly type = 'statuses.deleted';

  readonly statusId: string;
  readonly authorId: string;
  /** The row is gone: its tombstone stands under this address. */
  readonly uri: string;
  readonly local: boolean;
  readonly visibility: number;
  /** Set for a boost that was taken back. */
  readonly reblogOfId: string | null;
  /** Accounts it named. */
  readonly addressedIds: readonly string[];
  /** The hashtags it carried. */
  readonly tagIds: readonly string[];
  /** Accounts whose boosts vanished with it: some of them, when they are very many. */
  readonly boosterIds: readonly string[];
  /** The author of its parent, and remote authors of answers: some of them, when they are very many. */
  readonly threadAuthorIds: readonly string[];

  constructor(facts: Facts<StatusDeleted>) {
    Object.assign(this, facts);
  }
}

/** An account acted on a status. */
export class StatusAction {
  readonly statusId: string;
  readonly accountId: string;
  /** The author of the status. */
  readonly authorId: string;
  readonly actorLocal: boolean;
  /** Whether the status is of this server. */
  readonly targetLocal: boolean;

  constructor(action: StatusAction) {
    const { statusId, accountId, authorId, actorLocal, targetLocal } = action;
    Object.assign(this, { statusId, accountId, authorId, actorLocal, targetLocal });
  }
}

/** Somebody voted in the poll of a post. */
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

/** The poll of a post is over. */
export class PollClosed {
  static readonly type = 'statuses.poll-closed';

  constructor(readonly statusId: string) {}
}

export class Favourited extends StatusAction {
  static readonly type = 'statuses.favourited';
}

export class Unfavourited extends StatusAction {
  static readonly type = 'statuses.unfavourited';
}

/** Somebody put an emoji under a post. */
export class Reacted extends StatusAction {
  static readonly type = 'statuses.reacted';

  constructor(
    readonly emoji: string,
    action: StatusAction,
  ) {
    super(action);
  }
}

/** Somebody took an emoji back. */
export class Unreacted extends StatusAction {
  static readonly type = 'statuses.unreacted';

  constructor(
    readonly emoji: string,
    action: StatusAction,
  ) {
    super(action);
  }
}

/** An author put a post at the top of the profile. */
export class StatusPinned {
  static readonly type = 'statuses.pinned';

  constructor(
    readonly statusId: string,
    readonly accountId: string,
    readonly local: boolean,
    readonly visibility: number,
  ) {}
}

/** An author took a post from the top of the profile. */
export class StatusUnpinned {
  static readonly type = 'statuses.unpinned';

  constructor(
    readonly statusId: string,
    readonly accountId: string,
    readonly local: boolean,
    readonly visibility: number,
  ) {}
}
