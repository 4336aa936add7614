import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { CommonModule } from '../common/index.js';
import { ConfigModule } from '../config/index.js';
import { InstanceModule } from '../instance/index.js';
import { OauthModule } from '../oauth/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { StatusesModule } from '../statuses/index.js';
import { Admission } from './admission.js';
import { AudienceRepository } from './audience.repository.js';
import { AudienceService } from './audience.service.js';
import { Broadcaster } from './broadcaster.js';
import { ClientEvents } from './client-events.js';
import { EventStreamsController } from './event-streams.controller.js';
import { EventStreams } from './event-streams.service.js';
import { Gateway } from './gateway.js';
import { Payloads } from './payloads.js';
import { Places } from './places.js';
import { Sessions } from './sessions.js';
import { StreamSubscriber } from './stream.subscriber.js';
import { StreamingController } from './streaming.controller.js';
import { Upkeep } from './upkeep.js';

/** Live streams: what happens reaches the people who look, over WebSockets. */
@Module({
  imports: [
    CommonModule,
    ConfigModule,
    AccountsModule,
    OauthModule,
    StatusesModule,
    NotificationsModule,
    InstanceModule,
  ],
  controllers: [StreamingController, EventStreamsController],
  providers: [
    Admission,
    AudienceRepository,
    AudienceService,
    Broadcaster,
    ClientEvents,
    EventStreams,
    Gateway,
    Payloads,
    Places,
    Sessions,
    StreamSubscriber,
    Upkeep,
  ],
})
export class StreamingModule {}
