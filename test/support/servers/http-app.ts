import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import {
  type CanActivate,
  Delete,
  type ExecutionContext,
  Get,
  Global,
  Header,
  type LoggerService,
  Module,
  Param,
  Patch,
  Post,
  type Provider,
  Put,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import supertest from 'supertest';
import { HttpModule } from '../../../src/common/http/http.module.js';
import {
  AcceptsFiles,
  AdminApi,
  AdminOnly,
  type ApiRequest,
  BodyGuard,
  BooleanLike,
  ClientApi,
  configureHttp,
  CurrentAccount,
  FilePart,
  Forbidden,
  IdList,
  Input,
  IntLike,
  Json,
  type Middleware,
  Nested,
  NestedList,
  NotFound,
  OneOf,
  OptionalAuth,
  OptionalText,
  Page,
  PageQuery,
  Public,
  RateLimit,
  RateLimitGuard,
  RateLimitTargets,
  RequiredText,
  RootApi,
  Scopes,
  SvcApi,
  TextList,
  Unprocessable,
  type UploadedFile,
  ViewerId,
} from '../../../src/common/index.js';
import {
  Brand,
  ENV,
  HttpAdapter,
  HttpServer,
  Limiter,
  loggerModuleOptions,
  Metrics,
  readEnv,
  Tracing,
} from '../../../src/platform/index.js';

class PollBody {
  @TextList({ max: 4, maxLength: 20 }) options: string[] = [];
  @IntLike({ min: 0, max: 1_000_000 }) expires_in?: number;
  @BooleanLike() multiple = false;
}

class FieldBody {
  @OptionalText({ max: 20 }) name?: string;
  @OptionalText({ max: 20 }) value?: string;
}

class PostBody {
  @OptionalText({ max: 30 }) status?: string;
  @OneOf(['public', 'unlisted', 'private', 'direct']) visibility?: string;
  @IdList({ max: 5 }) media_ids?: string[];
  @Nested(() => PollBody) poll?: PollBody;
  @NestedList(() => FieldBody, { max: 3 }) fields_attributes?: FieldBody[];
  @OptionalText({ max: 30 }) svc_settings_store?: string;
  @OptionalText({ max: 30 }) id?: string;
}

class UploadBody {
  @FilePart() file?: UploadedFile | null;
  @OptionalText({ max: 100 }) description?: string;
}

class PicturesBody {
  @FilePart() avatar?: UploadedFile | null;
  @FilePart() svc_background_image?: UploadedFile | null;
}

class TitleBody {
  @RequiredText({ max: 10 }) title: string;
}

/** Every method echoes its input. */
@ClientApi('v1', 'notes')
class NotesController {
  @Get('folder') @Public() folder(@Input(PageQuery) query: PageQuery) {
    const rows = ['c', 'b', 'a'].slice(0, query.limit);
    return new Page(rows, { first: '30', last: '10' }).map((id) => Json.object({ id, text: 'ü' }));
  }
  @Get('empty') @Public() empty() {
    return new Page([], undefined);
  }
  @Get('query') @Public() query(@Input(PageQuery) query: PageQuery) {
    return query;
  }
  @Get('secret') @Scopes('read') secret(@CurrentAccount() accountId: string) {
    return { accountId };
  }
  @Get('viewer') @OptionalAuth('read') viewer(@ViewerId() viewerId: string | undefined) {
    return { viewerId: viewerId ?? null };
  }
  @Get('limited') @Public() @RateLimit('authentication') limited() {
    return {};
  }
  @Get('searched') @Public() @RateLimit('search') searched() {
    return {};
  }
  @Get('narrow') @Public() @Header('Content-Type', 'application/activity+json') narrow(
    @Input(PageQuery) query: PageQuery,
  ) {
    if (query.limit === 1) throw new NotFound();
    return Json.of({ id: '1' });
  }
  @Get('broken') @Public() broken() {
    throw new Error('select * from users at /home/svc/src/secret.ts');
  }
  @Get('away') @Public() away() {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  }
  @Get('full') @Public() full() {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
  @Get('short') @Public() short() {
    throw Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE', syscall: 'open' });
  }
  @Get('late') @Public() late() {
    AbortSignal.abort().throwIfAborted();
  }
  @Get(':id') @Public() show(@Param('id') id: string) {
    if (id === 'plain') throw Unprocessable.plain('Unsupported visibility');
    throw new NotFound();
  }
  @Post() @OptionalAuth('read') create(@Input(PostBody) input: PostBody) {
    return input;
  }
  @Post('titles') @Public() title(@Input(TitleBody) input: TitleBody) {
    return input;
  }
  @Post('files') @OptionalAuth('read') @AcceptsFiles({ maxBytes: 2_000_000 }) async upload(
    @Input(UploadBody) input: UploadBody,
  ) {
    const { file, description } = input;
    if (!file) return { file };
    const { path, filename, mimeType, size } = file;
    return { description, path, filename, mimeType, size, bytes: await readFile(path, 'utf8') };
  }
  @Post('pictures')
  @OptionalAuth('read')
  @AcceptsFiles({ maxBytes: { avatar: 'avatar', svc_background_image: 50 } })
  pictures(@Input(PicturesBody) { avatar, svc_background_image: background }: PicturesBody) {
    return { avatar: avatar?.size, background: background?.size };
  }
  @Put(':id') @OptionalAuth('read') replace(@Input(PostBody) input: PostBody) {
    return input;
  }
  @Patch(':id') @OptionalAuth('read') change(@Input(PostBody) input: PostBody) {
    return input;
  }
  @Delete(':id') @OptionalAuth('read') remove(@Input(PostBody) input: PostBody) {
    return input;
  }
}

@AdminApi('things')
class ThingsController {
  @Post() @AdminOnly('admin:write') create(@Input(TitleBody) input: TitleBody) {
    return input;
  }
}

@SvcApi('emoji')
class EmojiController {
  @Get() @Public() list() {
    return { emoji: {} };
  }
}

@RootApi('')
class PagesController {
  @Get('oauth/authorize') @Public() authorize() {
    return '<form></form>';
  }
  @Get('nodeinfo/:version') @Public() nodeinfo(@Param('version') version: string) {
    return { version };
  }
}

/** Replaces the guards of later modules: a header names the account, and no account is an administrator. */
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const accountId = request.get('x-account');
    if (accountId) {
      request.auth = { tokenId: '1', appId: '1', scopes: ['read'], accountId, isAdmin: false, isModerator: false };
    }
    if (request.path.includes('/admin/') && !accountId) throw new Forbidden('User is not an admin.');
    return true;
  }
}

/** Records errors and warnings of the log. */
class Recorder implements LoggerService {
  readonly errors: unknown[] = [];
  readonly warnings: unknown[] = [];
  log(): void {
    // ignored
  }
  warn(message: unknown): void {
    this.warnings.push(message);
  }
  error(message: unknown): void {
    this.errors.push(message);
  }
}

export interface HttpApp {
  readonly app: NestExpressApplication;
  readonly server: Server;
  /** The logged errors. */
  readonly errors: readonly unknown[];
  /** The logged warnings. */
  readonly warnings: readonly unknown[];
  /** Sends raw bytes, which no client library would, and returns the whole answer. */
  raw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

/** A server with the conventions of `common`, a few controllers to test them, and no database; `last` is its last middleware. */
export async function startHttpApp(
  source: Readonly<Record<string, string>>,
  controllers: Type[] = [NotesController, ThingsController, EmojiController, PagesController],
  ...last: Middleware[]
): Promise<HttpApp> {
  const env = readEnv({ BASE_URL: 'https://social.example', SECRET_KEY: 'ab'.repeat(32), ...source });
  const recorder = new Recorder();
  const tracing = { provide: Tracing, useValue: new Tracing() };
  const shared: Provider[] = [{ provide: ENV, useValue: env }, tracing, Brand, Limiter, Metrics];

  @Global()
  @Module({ providers: shared, exports: shared })
  class Below {}

  const module = await Test.createTestingModule({
    imports: [LoggerModule.forRoot(loggerModuleOptions({ logLevel: 'silent' })), Below, HttpModule],
    controllers,
    providers: [
      { provide: APP_GUARD, useClass: HeaderGuard },
      { provide: APP_GUARD, useClass: RateLimitGuard },
      { provide: APP_GUARD, useClass: BodyGuard },
    ],
  })
    .setLogger(recorder)
    .compile();
  module.get(RateLimitTargets, { strict: false }).use({ idOf: () => Promise.resolve(undefined) });
  const http = new HttpServer(env);
  const app = module.createNestApplication<NestExpressApplication>(new HttpAdapter(http), { bodyParser: false });
  configureHttp(app, env, ...last);
  http.serve(app.getHttpAdapter().getInstance());
  await app.listen(0, '127.0.0.1');
  const server: Server = app.getHttpServer();
  const { errors, warnings } = recorder;
  return { app, server, errors, warnings, raw: (bytes) => rawExchange(server, bytes), close: () => app.close() };
}

/** Sends a raw JSON body, even a broken one. */
export function postJson(server: Server, path: string, body: string | Buffer): supertest.Test {
  return supertest(server)
    .post(path)
    .set('Content-Type', 'application/json')
    .serialize((value: unknown) => value as string)
    .send(body);
}

function rawExchange(server: Server, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.end(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}
