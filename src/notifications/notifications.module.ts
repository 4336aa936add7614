import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { ChatsModule } from '../chats/index.js';
import { MediaModule } from '../media/index.js';
import { OauthModule } from '../oauth/index.js';
import { StatusesModule } from '../statuses/index.js';
import { NotificationGroupRepository } from './grouping/notification-group.repository.js';
import { NotificationGroupView } from './grouping/notification-group.view.js';
import { NotificationGroupsController } from './grouping/notification-groups.controller.js';
import { NotificationGroupsService } from './grouping/notification-groups.service.js';
import { MarkerRepository } from './reading/marker.repository.js';
import { MarkerView } from './reading/marker.view.js';
import { MarkersController } from './reading/markers.controller.js';
import { MarkersService } from './reading/markers.service.js';
import { NotificationRepository } from './reading/notification.repository.js';
import { NotificationSettingsController } from './reading/notification-settings.controller.js';
import { NotificationView } from './reading/notification.view.js';
import { NotificationsController } from './reading/notifications.controller.js';
import { NotificationsService } from './reading/notifications.service.js';
import { NotificationsJobs } from './dispatch/notifications.jobs.js';
import { NotificationPolicyController } from './policy/notification-policy.controller.js';
import { NotificationPolicyService } from './policy/notification-policy.service.js';
import { NotificationPolicyV1Controller } from './policy/notification-policy-v1.controller.js';
import { NotificationPolicyView } from './policy/notification-policy.view.js';
import { NotificationRequestRepository } from './policy/notification-request.repository.js';
import { NotificationRequestsController } from './policy/notification-requests.controller.js';
import { PushController } from './push/push.controller.js';
import { PushDeliveryService } from './push/push-delivery.service.js';
import { PushQueueService } from './push/push-queue.service.js';
import { PushSubscriptionRepository } from './push/push-subscription.repository.js';
import { PushSubscriptionsService } from './push/push-subscriptions.service.js';
import { PushSubscriptionView } from './push/push-subscription.view.js';
import { ReadingController } from './reading/notifications-read.controller.js';
import { ReportBodies } from './reading/report-bodies.port.js';
import { NotificationTrimRepository } from './dispatch/notification-trim.repository.js';
import { NotificationTrimService } from './dispatch/notification-trim.service.js';
import { NotificationDispatchRepository } from './dispatch/notification-dispatch.repository.js';
import { NotificationDispatcher } from './dispatch/notification-dispatcher.js';

/** Notifications of local accounts, web push and markers. */
@Module({
  imports: [AccountsModule, ChatsModule, MediaModule, OauthModule, StatusesModule],
  controllers: [
    // Literal paths are registered before those with parameters.
    NotificationPolicyController,
    NotificationPolicyV1Controller,
    NotificationRequestsController,
    NotificationsController,
    NotificationGroupsController,
    ReadingController,
    MarkersController,
    NotificationSettingsController,
    PushController,
  ],
  providers: [
    MarkerRepository,
    MarkersService,
    MarkerView,
    NotificationGroupRepository,
    NotificationGroupsService,
    NotificationGroupView,
    NotificationPolicyService,
    NotificationPolicyView,
    NotificationRepository,
    NotificationRequestRepository,
    NotificationsService,
    NotificationsJobs,
    NotificationView,
    PushDeliveryService,
    PushQueueService,
    PushSubscriptionRepository,
    PushSubscriptionsService,
    PushSubscriptionView,
    ReportBodies,
    NotificationTrimRepository,
    NotificationTrimService,
    NotificationDispatchRepository,
    NotificationDispatcher,
  ],
  exports: [
    NotificationPolicyService,
    NotificationPolicyView,
    NotificationsService,
    NotificationView,
    NotificationGroupsService,
    NotificationGroupView,
    ReportBodies,
    NotificationDispatcher,
  ],
})
export class NotificationsModule {}
