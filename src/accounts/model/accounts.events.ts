/** An account came to be: registered here, or fetched from another server for the first time. */
export class AccountCreated {
  static readonly type = 'accounts.created';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
  ) {}
}

/** Something changed that others see on the account's profile. */
export class AccountUpdated {
  static readonly type = 'accounts.updated';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
  ) {}
}

/** A user was given roles, or lost some. */
export class RolesChanged {
  static readonly type = 'accounts.roles-changed';

  constructor(readonly accountId: string) {}
}

/** A local account asks nobody to wait for its consent any more. */
export class AccountUnlocked {
  static readonly type = 'accounts.unlocked';

  constructor(readonly accountId: string) {}
}

/** An account, here or elsewhere, is another one from now on, which agrees to it. Nobody follows that one yet because of it. */
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
 * A local account was deleted for good: each module removes what it holds of the account. Emitted a second time later, for
 * what requests wrote that were still running at the first.
 */
export class AccountDeleted {
  static readonly type = 'accounts.deleted';

  constructor(readonly accountId: string) {}
}

export class AccountActivated {
  static readonly type = 'accounts.activated';

  constructor(
    readonly accountId: string,
    readonly local: boolean,
  ) {}
}

/** A follow was made, or a waiting one accepted. While `accepted` is false it waits for the followee's consent. */
export class Followed {
  static readonly type = 'accounts.followed';

  constructor(
    readonly followerId: string,
    readonly followeeId: string,
    readonly localFollower: boolean,
    readonly localFollowee: boolean,
    readonly accepted: boolean,
  ) {}
}

/** A local account is asked to consent to a follower. */
export class FollowRequested {
  static readonly type = 'accounts.follow-requested';

  constructor(
    readonly followerId: string,
    readonly followeeId: string,
  ) {}
}

/** A follow, accepted or waiting, is over. `endedBy` tells which of the two wanted it. */
export class Unfollowed {
  static readonly type = 'accounts.unfollowed';

  constructor(
    readonly followerId: string,
    readonly followeeId: string,
    readonly endedBy: 'follower' | 'followee',
  ) {}
}

export class Blocked {
  static readonly type = 'accounts.blocked';

  constructor(
    readonly accountId: string,
    readonly targetId: string,
  ) {}
}

/** A block was lifted, or its time ran out. */
export class Unblocked {
  static readonly type = 'accounts.unblocked';

  constructor(
    readonly accountId: string,
    readonly targetId: string,
  ) {}
}

export class Muted {
  static readonly type = 'accounts.muted';

  constructor(
    readonly accountId: string,
    readonly targetId: string,
  ) {}
}

/** An account does not want to have to do with a server any more. */
export class DomainBlocked {
  static readonly type = 'accounts.domain-blocked';

  constructor(
    readonly accountId: string,
    readonly domain: string,
  ) {}
}

/** A user is back after 30 days or more, during which no feed was written. */
export class UserReturned {
  static readonly type = 'accounts.user-returned';

  constructor(readonly accountId: string) {}
}
