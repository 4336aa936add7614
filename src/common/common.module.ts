import { Global, Module } from '@nestjs/common';
import { HttpModule } from './http/http.module.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { TextPolicies } from './text-policies.port.js';
import { TextWorkers } from './text/workers/text-workers.js';

/** The conventions of the API, for every module above. */
@Global()
@Module({
  imports: [HttpModule],
  providers: [Idempotency, IdempotencyRepository, TextPolicies, TextWorkers],
  exports: [HttpModule, Idempotency, TextPolicies, TextWorkers],
})
export class CommonModule {}
