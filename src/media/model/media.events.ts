/** The description of a posted file has changed. */
export class AttachmentDescribed {
  static readonly type = 'media.attachment-described';

  constructor(readonly statusId: string) {}
}
