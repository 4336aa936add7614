import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { DnsBlockList } from './dns-block-list.js';
import { NsfwApi } from './nsfw-api.js';
import { PoliciesService } from './policies.service.js';

/** Policies on posts and activities of other servers, and on local posts. */
@Module({
  imports: [AccountsModule, StatusesModule],
  providers: [DnsBlockList, NsfwApi, PoliciesService],
  exports: [PoliciesService],
})
export class PoliciesModule {}
