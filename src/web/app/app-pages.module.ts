import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { MediaModule } from '../../media/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { TimelinesModule } from '../../timelines/index.js';
import { FrameModule } from '../frame/frame.module.js';
import { ChangePagesController } from './compose/change-pages.controller.js';
import { ComposeForms } from './compose/compose-forms.js';
import { ComposePagesController } from './compose/compose-pages.controller.js';
import { ScheduledPagesController } from './compose/scheduled-pages.controller.js';
import { AppStatuses } from './statuses/app-statuses.js';
import { StatusPagesController } from './statuses/status-pages.controller.js';
import { TimelinePagesController } from './timelines/timeline-pages.controller.js';

/** The pages for everyday use of signed-in people. */
@Module({
  imports: [AccountsModule, MediaModule, StatusesModule, TimelinesModule, FrameModule],
  controllers: [
    TimelinePagesController,
    StatusPagesController,
    ComposePagesController,
    ChangePagesController,
    ScheduledPagesController,
  ],
  providers: [AppStatuses, ComposeForms],
})
export class AppPagesModule {}
