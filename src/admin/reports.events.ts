/** An account was reported. */
export class ReportFiled {
  static readonly type = 'admin.report-filed';

  constructor(
    readonly reportId: string,
    readonly accountId: string,
    readonly actorId: string,
    readonly forward: boolean,
  ) {}
}
