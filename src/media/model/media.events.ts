/** The description of a posted file has changed. */
export class AttachmentDescribed {
  static readonly type = 'media.attachment-described';

  constructor(
    readonly statusId: string,
    readonly accountId: string,
    /** The descriptions of all files of the post until then, by their ids. */
    readonly former: Readonly<Record<string, string>>,
    /** When. */
    readonly at: string,
  ) {}
}
