/** The description of a posted file has changed. */
export class AttachmentDescribed {
  static readonly type = 'media.attachment-described';

  constructor(
    readonly statusId: string,
    readonly accountId: string,
    readonly attachmentId: string,
    /** Its description until then. */
    readonly former: string,
    /** When. */
    readonly at: string,
  ) {}
}
