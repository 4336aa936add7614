import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { AdminModule } from '../../admin/index.js';
import { InstanceModule } from '../../instance/index.js';
import { MediaModule } from '../../media/index.js';
import { SearchModule } from '../../search/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { TimelinesModule } from '../../timelines/index.js';
import { FrameModule } from '../frame/frame.module.js';
import { ListPagesController } from './lists/list-pages.controller.js';
import { AppPeople } from './people/app-people.js';
import { PeoplePagesController } from './people/people-pages.controller.js';
import { ReportPagesController } from './people/report-pages.controller.js';
import { SearchPagesController } from './search/search-pages.controller.js';
import { AppStatuses } from './statuses/app-statuses.js';
import { StatusPagesController } from './statuses/status-pages.controller.js';
import { TimelinePagesController } from './timelines/timeline-pages.controller.js';

/** The pages for everyday use of signed-in people. */
@Module({
  imports: [
    AccountsModule,
    AdminModule,
    InstanceModule,
    MediaModule,
    SearchModule,
    StatusesModule,
    TimelinesModule,
    FrameModule,
  ],
  controllers: [
    ListPagesController,
    TimelinePagesController,
    StatusPagesController,
    PeoplePagesController,
    ReportPagesController,
    SearchPagesController,
  ],
  providers: [AppPeople, AppStatuses],
  exports: [AppPeople],
})
export class AppPagesModule {}
