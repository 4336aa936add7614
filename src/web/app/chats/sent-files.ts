import { Inject, Injectable } from '@nestjs/common';
import { RateLimits, requireAllowed, type UploadedFile } from '../../../common/index.js';
import { AttachmentsService } from '../../../media/index.js';
import { ENV, type Env, Limiter } from '../../../platform/index.js';

const LIMIT = 'uploads';

/** The files that forms of pages send. They count as uploads by the API; forms without a file do not count. */
@Injectable()
export class SentFiles {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
    private readonly attachments: AttachmentsService,
  ) {}

  /**
   * Stores a file for a message or a post, and returns its id.
   * @throws TooManyRequests, and what an upload by the API is refused with
   */
  async store(accountId: string, file: UploadedFile, description: string): Promise<string> {
    if (this.env.rateLimits === 'on') {
      const bucket = { name: LIMIT, ...this.limits.of(LIMIT, 'user') };
      requireAllowed(await this.limiter.consume(bucket, `account ${accountId}`));
    }
    return (await this.attachments.upload(accountId, file, { description })).id;
  }
}
