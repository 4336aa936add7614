import { Get, Param, Post } from '@nestjs/common';
import { AdminQueuesService } from '../../../admin/index.js';
import { Input, OptionalText, type PageAnswer, RootApi, SignedIn } from '../../../common/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { queuesPage } from './queues.page.js';

const MAX_HOST = 300;

class HostFormBody {
  @OptionalText({ max: MAX_HOST }) host = '';
}

/** The queues of the server for administrators, by the service of `ctl jobs`. */
@RootApi('app/staff/queues')
export class QueuePagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly queues: AdminQueuesService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    const { t, may } = visit;
    return this.pages.open(visit, async () => queuesPage(t, await this.queues.overview(), may('admin:write')));
  }

  /** Lets a job that failed for good run again. */
  @Post('jobs/:id/retry')
  @SignedIn('admin:write')
  retry(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.queues.retry(auth, id));
  }

  /** Removes a job that failed for good. */
  @Post('jobs/:id/drop')
  @SignedIn('admin:write')
  drop(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.queues.drop(auth, id));
  }

  /** Lets what waits for a server be tried at once. */
  @Post('hosts/retry')
  @SignedIn('admin:write')
  retryHost(@Input(HostFormBody) { host }: HostFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.queues.retryHost(auth, host));
  }
}
