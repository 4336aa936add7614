/** Somebody described a file anew that is part of a post. */
export class AttachmentDescribed {
  static readonly type = 'media.attachment-described';

  constructor(readonly statusId: string) {}
}
