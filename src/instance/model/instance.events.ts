/** A rule was added, changed or taken away. */
export class RulesChanged {
  static readonly type = 'instance.rules-changed';
}

/** An announcement has begun, or was changed since. */
export class AnnouncementPublished {
  static readonly type = 'instance.announcement-published';

  constructor(readonly announcementId: string) {}
}

/** An announcement was taken back. */
export class AnnouncementDeleted {
  static readonly type = 'instance.announcement-deleted';

  constructor(readonly announcementId: string) {}
}

/** Somebody reacted to an announcement, or took a reaction back. */
export class AnnouncementReacted {
  static readonly type = 'instance.announcement-reacted';

  constructor(
    readonly announcementId: string,
    readonly name: string,
  ) {}
}
