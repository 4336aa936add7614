import { Injectable } from '@nestjs/common';
import { Handles, type Outcome } from '../../platform/index.js';
import { LinkVerificationService, VerifyLinks, type VerifyLinksPayload } from './link-verification.service.js';

/** Verifies the links of profiles after their edit. */
@Injectable()
export class LinkVerificationJobs {
  constructor(private readonly links: LinkVerificationService) {}

  @Handles(VerifyLinks)
  verify(payload: VerifyLinksPayload): Promise<Outcome> {
    return this.links.verify(payload);
  }
}
