import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import {
  AccessModule,
  AdminGuard,
  AuthGuard,
  FailedCredentialsGuard,
  ScopesGuard,
  SlowBodyGuard,
} from './access/index.js';
import { AccountsModule } from './accounts/index.js';
import { AdminModule } from './admin/index.js';
import { applicationDatabase } from './app.database.js';
import { BackupModule } from './backup/index.js';
import { ChatsModule } from './chats/index.js';
import { BodyGuard, BodyTokensGuard, CommonModule, RateLimitGuard } from './common/index.js';
import { ConfigModule } from './config/index.js';
import { EmojiModule } from './emoji/index.js';
import { FederationModule } from './federation/index.js';
import { InstanceModule } from './instance/index.js';
import { MediaModule } from './media/index.js';
import { NotificationsModule } from './notifications/index.js';
import { OauthModule } from './oauth/index.js';
import {
  type ChangeReports,
  type DatabaseAddress,
  type Env,
  loggerModuleOptions,
  PlatformModule,
  Tracing,
} from './platform/index.js';
import { PortabilityModule } from './portability/index.js';
import { RetentionModule } from './retention/index.js';
import { SearchModule } from './search/index.js';
import { SignInModule } from './sign-in/index.js';
import { StatusesModule } from './statuses/index.js';
import { StreamingModule } from './streaming/index.js';
import { TimelinesModule } from './timelines/index.js';
import { WebModule } from './web/index.js';

/** The whole server, in the order of its modules. The global guards are listed here and nowhere else. */
@Module({})
export class AppModule {
  /**
   * @param reports where its connections report changes: to itself in a server, to the server in an operator's command
   * @param tracing without, there are no traces
   */
  static register(
    env: Env,
    address: DatabaseAddress,
    reports?: ChangeReports,
    tracing: Tracing = new Tracing(),
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoggerModule.forRoot(loggerModuleOptions(env)),
        PlatformModule.register(env, applicationDatabase(address, reports, tracing), tracing),
        CommonModule,
        BackupModule.register(address),
        ConfigModule,
        EmojiModule,
        MediaModule,
        SearchModule, // /accounts/search stands before /accounts/:id
        AccountsModule,
        OauthModule,
        SignInModule,
        AccessModule,
        StatusesModule,
        TimelinesModule,
        ChatsModule,
        NotificationsModule,
        FederationModule,
        PortabilityModule,
        RetentionModule,
        InstanceModule,
        AdminModule,
        StreamingModule,
        WebModule,
      ],
      providers: [
        { provide: APP_GUARD, useClass: BodyTokensGuard },
        { provide: APP_GUARD, useExisting: FailedCredentialsGuard },
        { provide: APP_GUARD, useExisting: AuthGuard },
        { provide: APP_GUARD, useExisting: ScopesGuard },
        { provide: APP_GUARD, useExisting: AdminGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: BodyGuard },
        { provide: APP_GUARD, useExisting: SlowBodyGuard },
      ],
    };
  }
}
