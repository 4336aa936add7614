/** An account was created: registered here, or fetched from a remote server for the first time. */
export class AccountCreated {
  static readonly type = 'accounts.created';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
  ) {}
}

/** The parts of a profile by which the cards of linked pages name an account as the author. */
export const BYLINE = ['displayName', 'nickname', 'url', 'attributionDomains'] as const;

/** A public part of the profile changed. */
export class AccountUpdated {
  static readonly type = 'accounts.updated';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
    /** Whether that may be a part of the {@link BYLINE}, or whether the account may be seen. */
    readonly changesByline = false,
  ) {}
}

/** A local account told its followers what it listens to. */
export class Scrobbled {
  static readonly type = 'accounts.scrobbled';

  constructor(
    readonly scrobbleId: string,
    readonly accountId: string,
  ) {}
}

/** The address of a new user was confirmed, by its owner or by the staff. Of a deactivated one this is told when it is activated. */
export class UserConfirmed {
  static readonly type = 'accounts.user-confirmed';

  constructor(readonly accountId: string) {}
}

/** A new account of this server may be used from now on: it was made, approved and confirmed if that is needed, and is active. */
export class UserArrived {
  static readonly type = 'accounts.user-arrived';

  constructor(readonly accountId: string) {}
}

/** The staff approved a user that waited. Of a deactivated one this is told when it is activated. */
export class UserApproved {
  static readonly type = 'accounts.user-approved';

  constructor(readonly accountId: string) {}
}

/** The staff refused a user that waited. The account is gone, so the event carries what a letter needs. */
export class UserRejected {
  static readonly type = 'accounts.user-rejected';

  constructor(
    readonly nickname: string,
    readonly email: string | null,
    readonly locale: string | null,
  ) {}
}

/** A user got or lost roles. */
export class RolesChanged {
  static readonly type = 'accounts.roles-changed';

  constructor(readonly accountId: string) {}
}

/** A local account accepts followers without consent from now on. */
export class AccountUnlocked {
  static readonly type = 'accounts.unlocked';

  constructor(readonly accountId: string) {}
}

/** A local or remote account moved to another, which agrees. The followers have not moved yet. */
export class AccountMoved {
  static readonly type = 'accounts.moved';

  constructor(
    readonly accountId: string,
    readonly targetId: string,
    readonly local: boolean,
  ) {}
}

export class AccountDeactivated {
  static readonly type = 'accounts.deactivated';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
  ) {}
}

/**
 * An account was deleted for good, here or by its server: each module removes its rows of the account. Emitted again later, for writes of
 * requests that were still running at the first.
 */
export class AccountDeleted {
  static readonly type = 'accounts.deleted';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
    /** Whether the staff deleted an account of another server, which does not know of it. */
    readonly byStaff: boolean,
  ) {}
}

export class AccountActivated {
  static readonly type = 'accounts.activated';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
  ) {}
}

/** A follow was created, or a waiting one accepted. While `accepted` is false it waits for the followee's consent. */
export class Followed {
  static readonly type = 'accounts.followed';

  constructor(
    readonly followerId: string,
    readonly followeeId: string,
    readonly localFollower: boolean,
    readonly localFollowee: boolean,
    readonly accepted: boolean,
    /** The id of the Follow activity; null between local accounts. */
    readonly uri: string | null,
  ) {}
}

/** A follower wants the boosts of the followee again. */
export class ReblogsWanted {
  static readonly type = 'accounts.reblogs-wanted';

  constructor(
    readonly followerId: string,
    readonly followeeId: string,
  ) {}
}

/** A follower asks a local account for consent. */
export class FollowRequested {
  static readonly type = 'accounts.follow-requested';

  constructor(
    readonly followerId: string,
    readonly followeeId: string,
    readonly localFollower: boolean,
  ) {}
}

/** A follow, accepted or waiting, ended. `endedBy` names the side that ended it. */
export class Unfollowed {
  static readonly type = 'accounts.unfollowed';

  constructor(
    readonly followerId: string,
    readonly followeeId: string,
    readonly endedBy: 'follower' | 'followee',
    readonly localFollower: boolean,
    readonly localFollowee: boolean,
    /** The id of the Follow activity; null between local accounts. */
    readonly uri: string | null,
    /** Whether the followee had accepted. */
    readonly accepted: boolean,
  ) {}
}

export class Blocked {
  static readonly type = 'accounts.blocked';

  constructor(
    readonly accountId: string,
    readonly targetId: string,
    readonly actorLocal: boolean,
    readonly targetLocal: boolean,
  ) {}
}

/** A block was lifted or expired. */
export class Unblocked {
  static readonly type = 'accounts.unblocked';

  constructor(
    readonly accountId: string,
    readonly targetId: string,
    readonly actorLocal: boolean,
    readonly targetLocal: boolean,
  ) {}
}

export class Muted {
  static readonly type = 'accounts.muted';

  constructor(
    readonly accountId: string,
    readonly targetId: string,
  ) {}
}

/** An account blocked a domain. */
export class DomainBlocked {
  static readonly type = 'accounts.domain-blocked';

  constructor(
    readonly accountId: string,
    readonly domain: string,
  ) {}
}

/** A user returned after 30 days or more, during which no feed was written. */
export class UserReturned {
  static readonly type = 'accounts.user-returned';

  constructor(readonly accountId: string) {}
}
