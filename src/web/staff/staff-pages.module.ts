import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/index.js';
import { AccountsModule } from '../../accounts/index.js';
import { AdminModule } from '../../admin/index.js';
import { EmojiModule } from '../../emoji/index.js';
import { FederationModule } from '../../federation/index.js';
import { InstanceModule } from '../../instance/index.js';
import { MediaModule } from '../../media/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { OauthModule } from '../../oauth/index.js';
import { FrameModule } from '../frame/frame.module.js';
import { AccountActionsController } from './accounts/account-actions.controller.js';
import { AccountPagesController } from './accounts/account-pages.controller.js';
import { BlockPagesController } from './blocks/block-pages.controller.js';
import { StaffPages } from './frame/staff-pages.js';
import { StaffShown } from './frame/staff-shown.js';
import { OverviewController } from './overview/overview.controller.js';
import { ReportPagesController } from './reports/report-pages.controller.js';
import { FrontendInstallsController } from './frontends/frontend-installs.controller.js';
import { LogPagesController } from './log/log-pages.controller.js';
import { QueuePagesController } from './queues/queue-pages.controller.js';
import { AnnouncementPagesController } from './server/announcement-pages.controller.js';
import { EmojiPagesController } from './server/emoji-pages.controller.js';
import { InvitePagesController } from './server/invite-pages.controller.js';
import { RulePagesController } from './server/rule-pages.controller.js';
import { SettingsPagesController } from './settings/settings-pages.controller.js';
import { StaffStatusPagesController } from './statuses/staff-status-pages.controller.js';

/** The pages on which the staff looks after the server. */
@Module({
  imports: [
    AccessModule,
    AccountsModule,
    AdminModule,
    EmojiModule,
    FederationModule,
    InstanceModule,
    MediaModule,
    OauthModule,
    StatusesModule,
    FrameModule,
  ],
  controllers: [
    AccountActionsController,
    AccountPagesController,
    BlockPagesController,
    AnnouncementPagesController,
    EmojiPagesController,
    FrontendInstallsController,
    InvitePagesController,
    LogPagesController,
    OverviewController,
    QueuePagesController,
    RulePagesController,
    SettingsPagesController,
    ReportPagesController,
    StaffStatusPagesController,
  ],
  providers: [StaffPages, StaffShown],
})
export class StaffPagesModule {}
