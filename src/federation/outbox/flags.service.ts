import { Inject, Injectable } from '@nestjs/common';
import { activityUri } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { instanceActorUri } from '../signatures/signing-keys.js';
import { ActivitySourcesRepository } from './activity-sources.repository.js';
import { OutboxService } from './outbox.service.js';

/** A report that goes to the server of the reported account. */
export interface ForwardedReport {
  readonly reportId: string;
  readonly accountId: string;
  readonly statusIds: readonly string[];
  readonly comment: string;
}

/** Forwards reports to other servers, in the name of this server, which keeps the reporter anonymous. */
@Injectable()
export class FlagsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly outbox: OutboxService,
    private readonly sources: ActivitySourcesRepository,
  ) {}

  async forward({ reportId, accountId, statusIds, comment }: ForwardedReport): Promise<void> {
    const [uri, statuses] = await Promise.all([this.sources.accountUri(accountId), this.sources.statusUris(statusIds)]);
    if (uri === undefined) return;
    const id = activityUri(this.env.baseUrl, reportId);
    const activity = this.outbox.activities.flag(id, instanceActorUri(this.env.baseUrl), uri, statuses, comment);
    await this.outbox.send(activity, { accountId: null, orderingKey: id }, { accountIds: [accountId], shared: false });
  }
}
