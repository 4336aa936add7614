import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { ChatsModule } from '../chats/index.js';
import { CommonModule } from '../common/index.js';
import { ConfigModule } from '../config/index.js';
import { InstanceModule } from '../instance/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { OauthModule } from '../oauth/index.js';
import { StatusesModule } from '../statuses/index.js';
import { ConnectionLimits } from './connections/connection-limits.js';
import { LiveChannels } from './connections/live-channels.js';
import { SessionReaper } from './connections/session-reaper.js';
import { Sessions } from './connections/sessions.js';
import { StreamAuthorizer } from './connections/stream-authorizer.js';
import { AudienceRepository } from './delivery/audience.repository.js';
import { AudienceService } from './delivery/audience.service.js';
import { Broadcaster } from './delivery/broadcaster.js';
import { Payloads } from './delivery/payloads.js';
import { StreamingJobs } from './delivery/streaming.jobs.js';
import { EventStreamsController } from './event-streams/event-streams.controller.js';
import { EventStreamsService } from './event-streams/event-streams.service.js';
import { ShoutboxController } from './shoutbox/shoutbox.controller.js';
import { ShoutboxGateway } from './shoutbox/shoutbox.gateway.js';
import { ShoutboxService } from './shoutbox/shoutbox.service.js';
import { ShoutsRepository } from './shoutbox/shouts.repository.js';
import { ClientMessages } from './sockets/client-messages.js';
import { StreamingGateway } from './sockets/streaming.gateway.js';

/** Live streams over WebSockets and server-sent events. */
@Module({
  imports: [
    CommonModule,
    ConfigModule,
    AccountsModule,
    OauthModule,
    StatusesModule,
    ChatsModule,
    NotificationsModule,
    InstanceModule,
  ],
  controllers: [EventStreamsController, ShoutboxController],
  providers: [
    AudienceRepository,
    AudienceService,
    Broadcaster,
    ClientMessages,
    ConnectionLimits,
    EventStreamsService,
    LiveChannels,
    Payloads,
    SessionReaper,
    Sessions,
    ShoutboxGateway,
    ShoutboxService,
    ShoutsRepository,
    StreamAuthorizer,
    StreamingGateway,
    StreamingJobs,
  ],
})
export class StreamingModule {}
