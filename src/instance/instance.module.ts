import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { ActivityRepository } from './activity.repository.js';
import { ActivityService } from './activity.service.js';
import { Announcement, AnnouncementReaction, AnnouncementRead } from './announcement.entities.js';
import { AnnouncementJob } from './announcement.job.js';
import { AnnouncementRepository } from './announcement.repository.js';
import { AnnouncementView } from './announcement.view.js';
import { AnnouncementsController } from './announcements.controller.js';
import { AnnouncementsErasureJobs } from './announcements-erasure.jobs.js';
import { AnnouncementsService } from './announcements.service.js';
import { HealthcheckController, HealthController } from './health.controller.js';
import { HealthRepository } from './health.repository.js';
import { HealthService } from './health.service.js';
import { HealthcheckService } from './healthcheck.service.js';
import { InstanceDocuments } from './instance-documents.js';
import { InstanceTotals } from './instance-totals.entity.js';
import { InstanceWeek } from './instance-week.entity.js';
import { InstanceV1Controller, InstanceV2Controller } from './instance.controller.js';
import { MetricsController } from './metrics.controller.js';
import { NodeInfoController } from './nodeinfo.controller.js';
import { Rule } from './rule.entity.js';
import { RulesRepository } from './rules.repository.js';
import { RulesService } from './rules.service.js';
import { RulesSubscriber } from './rules.subscriber.js';
import { ReferenceController } from './openapi/reference.controller.js';
import { ReferenceService } from './openapi/reference.service.js';
import { RouteCatalogue } from './openapi/route-catalogue.js';
import { StaffRepository } from './staff.repository.js';
import { StaffSubscriber } from './staff.subscriber.js';
import { TotalsJob } from './totals.job.js';
import { TotalsRepository } from './totals.repository.js';
import { TotalsService } from './totals.service.js';

/** How the server presents itself: to apps, to other servers, and to those who run it. */
@Module({
  imports: [
    DiscoveryModule,
    TypeOrmModule.forFeature([
      InstanceTotals,
      InstanceWeek,
      Rule,
      Announcement,
      AnnouncementRead,
      AnnouncementReaction,
    ]),
    AccountsModule,
  ],
  controllers: [
    InstanceV1Controller,
    InstanceV2Controller,
    AnnouncementsController,
    ReferenceController,
    NodeInfoController,
    HealthController,
    HealthcheckController,
    MetricsController,
  ],
  providers: [
    TotalsRepository,
    ActivityRepository,
    ActivityService,
    AnnouncementRepository,
    AnnouncementsErasureJobs,
    AnnouncementsService,
    AnnouncementView,
    AnnouncementJob,
    RouteCatalogue,
    ReferenceService,
    RulesRepository,
    RulesService,
    RulesSubscriber,
    StaffRepository,
    HealthRepository,
    TotalsService,
    TotalsJob,
    StaffSubscriber,
    InstanceDocuments,
    HealthService,
    HealthcheckService,
  ],
  exports: [InstanceDocuments, RulesService, AnnouncementsService, AnnouncementView],
})
export class InstanceModule {}
