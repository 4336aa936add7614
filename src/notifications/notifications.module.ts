import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { MediaModule } from '../media/index.js';
import { OauthModule } from '../oauth/index.js';
import { StatusesModule } from '../statuses/index.js';
import { Marker } from './marker.entity.js';
import { MarkerRepository } from './marker.repository.js';
import { MarkerView } from './marker.view.js';
import { MarkersController } from './markers.controller.js';
import { MarkersService } from './markers.service.js';
import { Notification } from './notification.entity.js';
import { NotificationRepository } from './notification.repository.js';
import { NotificationSettingsController } from './notification-settings.controller.js';
import { NotificationView } from './notification.view.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsErasureJobs } from './notifications-erasure.jobs.js';
import { NotificationsService } from './notifications.service.js';
import { NotificationsSubscriber } from './notifications.subscriber.js';
import { PushController } from './push.controller.js';
import { PushDelivery } from './push-delivery.service.js';
import { PushJob } from './push.job.js';
import { PushQueue } from './push-queue.service.js';
import { PushSubscription } from './push-subscription.entity.js';
import { PushSubscriptionRepository } from './push-subscription.repository.js';
import { PushSubscriptionsService } from './push-subscriptions.service.js';
import { PushSubscriptionView } from './push-subscription.view.js';
import { ReadingController } from './reading.controller.js';
import { ReportBodies } from './report-bodies.port.js';
import { RetentionRepository } from './retention.repository.js';
import { RetentionService } from './retention.service.js';
import { TellingRepository } from './telling.repository.js';
import { TellingService } from './telling.service.js';

/** Telling local people what concerns them, and how far they have read. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Notification, Marker, PushSubscription]),
    AccountsModule,
    MediaModule,
    OauthModule,
    StatusesModule,
  ],
  controllers: [
    NotificationsController,
    ReadingController,
    MarkersController,
    NotificationSettingsController,
    PushController,
  ],
  providers: [
    MarkerRepository,
    MarkersService,
    MarkerView,
    NotificationRepository,
    NotificationsErasureJobs,
    NotificationsService,
    NotificationsSubscriber,
    NotificationView,
    PushDelivery,
    PushJob,
    PushQueue,
    PushSubscriptionRepository,
    PushSubscriptionsService,
    PushSubscriptionView,
    ReportBodies,
    RetentionRepository,
    RetentionService,
    TellingRepository,
    TellingService,
  ],
  exports: [NotificationsService, NotificationView, ReportBodies, TellingService],
})
export class NotificationsModule {}
