export class TagFollowed {
  static readonly type = 'timelines.tag-followed';

  constructor(
    readonly accountId: string,
    readonly tagId: string,
  ) {}
}

export class TagUnfollowed {
  static readonly type = 'timelines.tag-unfollowed';

  constructor(
    readonly accountId: string,
    readonly tagId: string,
  ) {}
}
