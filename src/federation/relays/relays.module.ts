import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { FetchModule } from '../fetch/fetch.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { SignaturesModule } from '../signatures/signatures.module.js';
import { RelaysController } from './relays.controller.js';
import { RelaysRepository } from './relays.repository.js';
import { RelaysService } from './relays.service.js';

/** The exchange of public posts through relays. */
@Module({
  imports: [AccountsModule, FetchModule, OutboxModule, SignaturesModule],
  controllers: [RelaysController],
  providers: [RelaysRepository, RelaysService],
  exports: [RelaysService],
})
export class RelaysModule {}
