import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { PoliciesService } from './policies.service.js';

/** What is accepted from other servers, and from people of this one. */
@Module({ imports: [AccountsModule, StatusesModule], providers: [PoliciesService], exports: [PoliciesService] })
export class PoliciesModule {}
