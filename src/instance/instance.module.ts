import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountsModule } from '../accounts/index.js';
import { FederationModule } from '../federation/index.js';
import {
  CACHED_OBJECTS,
  type CachedObjects,
  ENV,
  type Env,
  OBJECT_STORE,
  type ObjectStore,
} from '../platform/index.js';
import { ActivityRepository } from './figures/activity.repository.js';
import { ActivityService } from './figures/activity.service.js';
import { AnnouncementsJobs } from './announcements/announcements.jobs.js';
import { AnnouncementRepository } from './announcements/announcement.repository.js';
import { AnnouncementView } from './announcements/announcement.view.js';
import { AnnouncementsController } from './announcements/announcements.controller.js';
import { AnnouncementsService } from './announcements/announcements.service.js';
import { ObjectFrontendStore } from './frontends/object-frontend.store.js';
import { FrontendStore } from './frontends/frontend.store.js';
import { FrontendsService } from './frontends/frontends.service.js';
import { HealthcheckController, HealthController } from './health/health.controller.js';
import { HealthRepository } from './health/health.repository.js';
import { HealthService } from './health/health.service.js';
import { HealthcheckService } from './health/healthcheck.service.js';
import { InstanceDocuments } from './documents/instance-documents.js';
import { InstanceV1Controller, InstanceV2Controller } from './documents/instance.controller.js';
import { OnlineChecksService } from './online/online-checks.service.js';
import { ProbeController } from './health/probe.controller.js';
import { ProbeTickets } from './health/probe-tickets.js';
import { MetricsController } from './health/metrics.controller.js';
import { InstancePartsController, PeersController } from './documents/instance-parts.controller.js';
import { NodeInfoController } from './documents/nodeinfo.controller.js';
import { RulesRepository } from './rules/rules.repository.js';
import { RulesService } from './rules/rules.service.js';
import { RulesJobs } from './rules/rules.jobs.js';
import { ReferenceController } from './openapi/reference.controller.js';
import { RendererFilesController } from './openapi/renderer-files.controller.js';
import { ReferenceService } from './openapi/reference.service.js';
import { RouteCatalogue } from './openapi/route-catalogue.js';
import { InstanceDocumentsService } from './texts/instance-documents.service.js';
import { InstanceTextRepository } from './texts/instance-text.repository.js';
import { StaffRepository } from './staff/staff.repository.js';
import { StaffJobs } from './staff/staff.jobs.js';
import { TotalsRepository } from './figures/totals.repository.js';
import { TotalsService } from './figures/totals.service.js';

/** The server's documents, health and settings: for apps, other servers and operators. */
@Module({
  imports: [DiscoveryModule, AccountsModule, FederationModule],
  controllers: [
    InstanceV1Controller,
    InstanceV2Controller,
    InstancePartsController,
    PeersController,
    AnnouncementsController,
    ReferenceController,
    RendererFilesController,
    NodeInfoController,
    HealthController,
    HealthcheckController,
    MetricsController,
    ProbeController,
  ],
  providers: [
    ProbeTickets,
    OnlineChecksService,
    TotalsRepository,
    ActivityRepository,
    ActivityService,
    AnnouncementRepository,
    AnnouncementsService,
    AnnouncementView,
    AnnouncementsJobs,
    RouteCatalogue,
    ReferenceService,
    RulesRepository,
    RulesService,
    RulesJobs,
    StaffRepository,
    HealthRepository,
    TotalsService,
    StaffJobs,
    InstanceDocuments,
    InstanceDocumentsService,
    InstanceTextRepository,
    {
      provide: FrontendStore,
      useFactory: (env: Env, store: ObjectStore | null, cache: CachedObjects | null) =>
        store && cache ? new ObjectFrontendStore(env, store, cache) : new FrontendStore(env),
      inject: [ENV, OBJECT_STORE, CACHED_OBJECTS],
    },
    FrontendsService,
    HealthService,
    HealthcheckService,
  ],
  exports: [
    FrontendsService,
    InstanceDocuments,
    InstanceDocumentsService,
    OnlineChecksService,
    RulesService,
    AnnouncementsService,
    AnnouncementView,
  ],
})
export class InstanceModule {}
