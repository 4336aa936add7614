import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { InstanceModule } from '../instance/index.js';
import { OauthModule } from '../oauth/index.js';
import { AccountsModule } from '../accounts/index.js';
import { FederationModule } from '../federation/index.js';
import { MediaModule } from '../media/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { PortabilityModule } from '../portability/index.js';
import { SignInModule } from '../sign-in/index.js';
import { StatusesModule } from '../statuses/index.js';
import { AdminAppsController } from './apps/admin-apps.controller.js';
import { AdminAppsService } from './apps/admin-apps.service.js';
import {
  AdminAnnouncementsController,
  AdminRulesController,
  InstanceDocumentController,
  StatsController,
} from './instance/admin-instance.controller.js';
import { AdminInstanceService } from './instance/admin-instance.service.js';
import { ChatsModule } from '../chats/index.js';
import { AdminChatsController, UserChatsController } from './chats/admin-chats.controller.js';
import { MediaProxyCachesController } from './server/media-proxy-caches.controller.js';
import { AdminEmojiController } from './admin-emoji.controller.js';
import { InstanceDeletionService } from './instances/instance-deletion.service.js';
import { InstancesController } from './instances/instances.controller.js';
import { HostModerationService } from './instances/host-moderation.service.js';
import { AdminInvitesService } from './invites/admin-invites.service.js';
import { AdminSettingsService } from './instance/admin-settings.service.js';
import { ModerationLogController } from './log/moderation-log.controller.js';
import { ModerationLogRepository } from './log/moderation-log.repository.js';
import { ModerationLogService } from './log/moderation-log.service.js';
import { MergedAccountsView } from './users/merged-accounts.view.js';
import { AdminUserView } from './users/admin-user.view.js';
import { AdminUsersController } from './users/users.controller.js';
import { UserActionsController } from './users/user-actions.controller.js';
import { UserModerationService } from './users/user-moderation.service.js';
import { PermissionGroupsController } from './users/permission-groups.controller.js';
import { PermissionGroupsService } from './users/permission-groups.service.js';
import { UserAccountsController } from './users/user-accounts.controller.js';
import { UserAccountsService } from './users/user-accounts.service.js';
import { CredentialsView } from './users/credentials.view.js';
import { AdminBackupsController, UserAccessController } from './users/user-access.controller.js';
import { UserAccessService } from './users/user-access.service.js';
import { UserActs } from './users/user-acts.js';
import { GroupedReportsController, HandledReportsController } from './handled-reports.controller.js';
import { HandledReportsRepository } from './handled-reports.repository.js';
import { HandledReportsService } from './handled-reports.service.js';
import {
  AdminStatusesController,
  ServerStatusesController,
  UserStatusesController,
} from './statuses/admin-statuses.controller.js';
import { AdminStatusView } from './statuses/admin-status.view.js';
import { AdminStatusesService } from './statuses/admin-statuses.service.js';
import { AdminRelaysController } from './server/relays.controller.js';
import { AdminFrontendsService } from './server/admin-frontends.service.js';
import { AdminQueuesService } from './server/admin-queues.service.js';
import { FrontendsController } from './server/frontends.controller.js';
import { InvitesController } from './invites/invites.controller.js';
import { ReportMailsService } from './report-mails.service.js';
import { ReportFilesRepository } from './report-files.repository.js';
import { ReportRepository } from './report.repository.js';
import { ReportView } from './report.view.js';
import { ReportedFilesService } from './reported-files.service.js';
import { ReportedStatuses } from './reported-statuses.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { SignUpMailsService } from './sign-up-mails.service.js';
import { WelcomeService } from './welcome/welcome.service.js';
import { ReportsJobs } from './reports.jobs.js';

/** Administration: reports and the staff's tools. */
@Module({
  imports: [
    AccessModule,
    AccountsModule,
    ChatsModule,
    FederationModule,
    InstanceModule,
    MediaModule,
    NotificationsModule,
    OauthModule,
    PortabilityModule,
    SignInModule,
    StatusesModule,
  ],
  controllers: [
    AdminAnnouncementsController,
    AdminAppsController,
    AdminChatsController,
    AdminEmojiController,
    MediaProxyCachesController,
    UserChatsController,
    ModerationLogController,
    UserActionsController,
    UserAccountsController,
    PermissionGroupsController,
    UserAccessController,
    AdminBackupsController,
    InstancesController,
    FrontendsController,
    AdminRelaysController,
    InvitesController,
    AdminUsersController,
    AdminRulesController,
    InstanceDocumentController,
    StatsController,
    AdminStatusesController,
    ServerStatusesController,
    UserStatusesController,
    GroupedReportsController,
    HandledReportsController,
    ReportsController,
  ],
  providers: [
    AdminFrontendsService,
    AdminQueuesService,
    AdminAppsService,
    AdminInstanceService,
    AdminInvitesService,
    AdminSettingsService,
    HostModerationService,
    AdminStatusesService,
    HandledReportsRepository,
    HandledReportsService,
    ModerationLogRepository,
    ModerationLogService,
    AdminStatusView,
    AdminUserView,
    CredentialsView,
    InstanceDeletionService,
    MergedAccountsView,
    PermissionGroupsService,
    UserAccessService,
    UserAccountsService,
    UserActs,
    UserModerationService,
    ReportFilesRepository,
    ReportRepository,
    ReportView,
    ReportedFilesService,
    ReportedStatuses,
    ReportMailsService,
    ReportsService,
    ReportsJobs,
    SignUpMailsService,
    WelcomeService,
  ],
  exports: [
    AdminFrontendsService,
    AdminQueuesService,
    AdminInstanceService,
    AdminInvitesService,
    AdminSettingsService,
    HostModerationService,
    InstanceDeletionService,
    AdminStatusesService,
    AdminStatusView,
    AdminUserView,
    HandledReportsService,
    ModerationLogService,
    PermissionGroupsService,
    ReportsService,
    ReportView,
    UserAccessService,
    UserAccountsService,
    UserActs,
    UserModerationService,
  ],
})
export class AdminModule {}
