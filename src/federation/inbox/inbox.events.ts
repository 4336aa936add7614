/** Another server reported an account of this server. */
export class ReportReceived {
  static readonly type = 'federation.report-received';

  constructor(
    /** The id under which the report is filed, once. */
    readonly reportId: string,
    /** The remote account that reports. */
    readonly actorId: string,
    readonly accountId: string,
    readonly statusIds: readonly string[],
    readonly comment: string,
  ) {}
}
