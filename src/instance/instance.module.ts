import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { HealthController } from './health.controller.js';
import { HealthRepository } from './health.repository.js';
import { HealthService } from './health.service.js';
import { InstanceDocuments } from './instance-documents.js';
import { InstanceTotals } from './instance-totals.entity.js';
import { InstanceV1Controller, InstanceV2Controller } from './instance.controller.js';
import { MetricsController } from './metrics.controller.js';
import { NodeInfoController } from './nodeinfo.controller.js';
import { StaffRepository } from './staff.repository.js';
import { StaffSubscriber } from './staff.subscriber.js';
import { TotalsJob } from './totals.job.js';
import { TotalsRepository } from './totals.repository.js';
import { TotalsService } from './totals.service.js';

/** How the server presents itself: to apps, to other servers, and to those who run it. */
@Module({
  imports: [TypeOrmModule.forFeature([InstanceTotals]), AccountsModule],
  controllers: [InstanceV1Controller, InstanceV2Controller, NodeInfoController, HealthController, MetricsController],
  providers: [
    TotalsRepository,
    StaffRepository,
    HealthRepository,
    TotalsService,
    TotalsJob,
    StaffSubscriber,
    InstanceDocuments,
    HealthService,
  ],
  exports: [InstanceDocuments],
})
export class InstanceModule {}
