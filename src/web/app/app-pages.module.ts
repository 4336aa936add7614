import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { InstanceModule } from '../../instance/index.js';
import { ChatsModule } from '../../chats/index.js';
import { MediaModule } from '../../media/index.js';
import { NotificationsModule } from '../../notifications/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { TimelinesModule } from '../../timelines/index.js';
import { FrameModule } from '../frame/frame.module.js';
import { StartPageController } from './start/start-page.controller.js';
import { PlacesController } from './places.controller.js';
import { OnlineChecksController } from './start/online-checks.controller.js';
import { AppChatsController } from './chats/app-chats.controller.js';
import { SentFiles } from './chats/sent-files.js';
import { AppNotifications } from './notifications/app-notifications.js';
import { HeldBackController } from './notifications/held-back.controller.js';
import { NotificationPagesController } from './notifications/notification-pages.controller.js';
import { AppStatuses } from './statuses/app-statuses.js';
import { StatusPagesController } from './statuses/status-pages.controller.js';
import { TimelinePagesController } from './timelines/timeline-pages.controller.js';
import { ChangePagesController } from './compose/change-pages.controller.js';
import { ComposeForms } from './compose/compose-forms.js';
import { ComposePagesController } from './compose/compose-pages.controller.js';
import { ScheduledPagesController } from './compose/scheduled-pages.controller.js';
import { AdminModule } from '../../admin/index.js';
import { SearchModule } from '../../search/index.js';
import { ListPagesController } from './lists/list-pages.controller.js';
import { AppPeople } from './people/app-people.js';
import { PeoplePagesController } from './people/people-pages.controller.js';
import { NewReportController } from './people/new-report.controller.js';
import { SearchPagesController } from './search/search-pages.controller.js';

/** The pages for everyday use of signed-in people. */
@Module({
  imports: [
    AccountsModule,
    ChatsModule,
    InstanceModule,
    MediaModule,
    NotificationsModule,
    StatusesModule,
    TimelinesModule,
    FrameModule,
    AdminModule,
    SearchModule,
  ],
  controllers: [
    StartPageController,
    OnlineChecksController,
    PlacesController,
    TimelinePagesController,
    StatusPagesController,
    NotificationPagesController,
    HeldBackController,
    AppChatsController,
    ComposePagesController,
    ChangePagesController,
    ScheduledPagesController,
    ListPagesController,
    PeoplePagesController,
    NewReportController,
    SearchPagesController,
  ],
  providers: [AppStatuses, AppNotifications, SentFiles, ComposeForms, AppPeople],
  exports: [AppPeople],
})
export class AppPagesModule {}
