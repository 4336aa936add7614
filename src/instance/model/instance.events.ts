/** A rule was added, changed or removed. */
export class RulesChanged {
  static readonly type = 'instance.rules-changed';
}

/** An announcement has begun, or was changed after its begin. */
export class AnnouncementPublished {
  static readonly type = 'instance.announcement-published';

  constructor(readonly announcementId: string) {}
}

/** An announcement has ended, or staff moved its begin or its end. */
export class AnnouncementEnded {
  static readonly type = 'instance.announcement-ended';

  constructor(readonly announcementId: string) {}
}

/** An announcement was deleted. */
export class AnnouncementDeleted {
  static readonly type = 'instance.announcement-deleted';

  constructor(readonly announcementId: string) {}
}

/** An account added or removed a reaction to an announcement. */
export class AnnouncementReacted {
  static readonly type = 'instance.announcement-reacted';

  constructor(
    readonly announcementId: string,
    readonly name: string,
  ) {}
}
