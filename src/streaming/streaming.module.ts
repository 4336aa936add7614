import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { CommonModule } from '../common/index.js';
import { ConfigModule } from '../config/index.js';
import { OauthModule } from '../oauth/index.js';
import { Admission } from './admission.js';
import { ClientEvents } from './client-events.js';
import { Gateway } from './gateway.js';
import { Sessions } from './sessions.js';
import { StreamingController } from './streaming.controller.js';
import { Upkeep } from './upkeep.js';

/** Live streams: what happens reaches the people who look, over WebSockets. */
@Module({
  imports: [CommonModule, ConfigModule, AccountsModule, OauthModule],
  controllers: [StreamingController],
  providers: [Admission, ClientEvents, Gateway, Sessions, Upkeep],
})
export class StreamingModule {}
