import { Body, Controller, Get, Logger as NestLogger, Module, Post, Req, Res } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { Request, Response } from 'express';
import { Logger, LoggerModule } from 'nestjs-pino';
import supertest from 'supertest';
import { newToken } from '../crypto/tokens.js';
import { OutboundError } from '../outbound/outbound-error.js';
import { loggerModuleOptions } from './log.js';
import { expectAnswer, requestLog } from './request-log.js';

const lines: string[] = [];
const stream = { write: (line: string) => void lines.push(line) };

/** An error of the database layer. */
class QueryError extends Error {
  override name = 'QueryError';
  code = '23505';
  constraint = 'users_email_key';
  detail = 'Key (email)=(CANARY@example.com) already exists.';
  parameters = ['CANARY'];
  query = 'insert into users values ($1)';
}

class Credentials {
  constructor(
    readonly username: string,
    readonly password: string,
  ) {}
}

@Controller()
class Talkative {
  private readonly logger = new NestLogger('Talkative');

  @Get('full')
  full(@Res({ passthrough: true }) response: Response): void {
    expectAnswer(response);
    response.status(503);
  }

  @Get('quiet{/*path}')
  quiet(@Res({ passthrough: true }) response: Response): string {
    response.cookie('_svc_key', 'CANARY');
    return 'CANARY';
  }

  @Post('careless')
  careless(@Req() request: Request, @Body() body: { [key: string]: unknown }): void {
    this.logger.log({ body, headers: request.headers, raw: request.rawHeaders }, 'received');
    this.logger.log({ deep: { er: [new Credentials('mo', 'CANARY')] }, tokens: 0, accessToken: 'CANARY' });
    this.logger.log(
      `form: ${new URLSearchParams({ username: 'mo', password: 'CANARY&/ CANARY' }).toString()}&visible=1`,
    );
    this.logger.log('text: {"refresh_token": "CANARY \\" CANARY", "visible": 1}');
    this.logger.log('next: https://a.example/?to=https%3A%2F%2Fb.example%2F%3Fcode%3DCANARY');
    this.logger.log('sent Authorization: Basic CANARY=, then bearer CANARYCANARY');
    this.logger.debug(`reset link: https://a.example/reset/${newToken()}/visible`);
  }

  @Get('breaks')
  breaks(): void {
    this.logger.warn({ err: new OutboundError('timeout', 'too slow') }, 'not delivered');
    const cause = new QueryError('duplicate key value violates unique constraint');
    this.logger.error({ err: new Error('cannot fetch https://a.example/?access_token=CANARY', { cause }) }, 'failed');
    this.logger.error({ error: cause });
    this.logger.error(cause);
    throw cause;
  }
}

@Module({
  imports: [LoggerModule.forRoot(loggerModuleOptions({ logLevel: 'debug' }, stream))],
  controllers: [Talkative],
})
class TalkativeModule {}

describe('the log', () => {
  let app: NestExpressApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [TalkativeModule] }).compile();
    app = module.createNestApplication<NestExpressApplication>();
    app.useLogger(app.get(Logger));
    app.use((request: Request, _response: Response, next: () => void) => {
      request.id = 'request-1';
      next();
    });
    app.use(requestLog);
    await app.init();
  });
  afterAll(() => app.close());
  beforeEach(() => void lines.splice(0));

  const agent = () => supertest(app.getHttpServer());
  const records = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const record = (msg: string) => records().find((each) => each['msg'] === msg);

  function expectClean(): void {
    for (const line of lines) {
      expect(line).not.toMatch(/CANARY/i);
      expect(line.indexOf('\n')).toBe(line.length - 1);
    }
  }

  it('has a line for each request with id, method, address and status, without its secrets', async () => {
    const path = `/quiet/${newToken()}?q=visible&access_token=CANARY&code=CANARY&user[password]=CANARY&client_secret=CAN%41RY`;
    await agent()
      .get(path)
      .set('Authorization', 'Bearer CANARY')
      .set('Cookie', '_svc_key=CANARY')
      .set('User-Agent', 'app/1');
    expectClean();
    expect(record('request completed')).toMatchObject({
      level: 'debug',
      requestId: 'request-1',
      req: {
        method: 'GET',
        url: '/quiet/[redacted]?q=visible&access_token=[redacted]&code=[redacted]&user[password]=[redacted]&client_secret=[redacted]',
        userAgent: 'app/1',
      },
      res: { status: 200 },
    });
    expect(record('request completed')?.['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('warns of no answer that callers can cause', async () => {
    await agent().get('/full').expect(503);
    expect(record('request completed')).toMatchObject({ level: 'debug', res: { status: 503 } });
  });

  it('removes secrets that careless code logs, and nothing else', async () => {
    const body = {
      username: 'mo',
      password: 'CANARY',
      nested: [{ 'Set-Cookie': ['CANARY'], mfa_token: { is: 'CANARY' } }],
      code: 123456,
    };
    await agent()
      .post('/careless')
      .set('Authorization', 'Bearer CANARYCANARY')
      .set('Cookie', `_svc_key=${newToken()}`)
      .send(body);
    expectClean();
    expect(lines.join('')).not.toContain('123456');
    expect(record('received')).toMatchObject({
      requestId: 'request-1',
      context: 'Talkative',
      body: {
        username: 'mo',
        password: '[redacted]',
        nested: [{ 'Set-Cookie': '[redacted]', mfa_token: '[redacted]' }],
        code: '[redacted]',
      },
      headers: { authorization: '[redacted]', cookie: '[redacted]', 'content-type': 'application/json' },
    });
    const text = lines.join('');
    expect(text).toContain('form: username=mo&password=[redacted]&visible=1');
    expect(text).toContain('%3Fcode%3D[redacted]');
    expect(text).toContain('https://a.example/reset/[redacted]/visible');
    expect(text).toContain('\\"visible\\": 1');
  });

  it('shows the useful parts of errors without their data', async () => {
    await agent().get('/breaks');
    expectClean();
    expect(lines.join('')).not.toContain('insert into');
    const failure = { type: 'QueryError', errorCode: '23505', constraint: 'users_email_key' };
    expect(record('failed')).toMatchObject({
      level: 'error',
      err: { type: 'Error', message: 'cannot fetch https://a.example/?access_token=[redacted]', cause: failure },
    });
    expect(records().filter((each) => each['context'] === 'Talkative')).toMatchObject([
      { msg: 'not delivered', err: { type: 'OutboundError', errorCode: 'timeout' } },
      { err: { type: 'Error' } },
      { error: failure },
      { err: failure },
    ]);
    expect(records().find((each) => 'res' in each)).toMatchObject({ level: 'warn', res: { status: 500 } });
    expect(JSON.stringify(record('failed'))).toContain('log.spec.ts');
  });

  it.each([
    '{"password":"CANARY",}',
    'CANARY',
    '{"a":CANARY}',
    '["CANARY"',
    '{"password": CANARY, "text": "and some more of it"}',
  ])('does not quote the invalid body %s', async (body) => {
    await agent().post('/careless').set('Content-Type', 'application/json').send(body).expect(400);
    try {
      JSON.parse(body);
    } catch (error) {
      new NestLogger('Parser').error(error);
      new NestLogger('Parser').error({ err: error }, 'unreadable');
    }
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expectClean();
  });

  it('escapes line breaks of foreign texts', () => {
    new NestLogger('Test').log('one\r\n{"level":"fatal","msg":"forged"}\n\u2028two');
    expect(lines).toHaveLength(1);
    expectClean();
    expect(records()[0]).toMatchObject({ level: 'info', msg: 'one\r\n{"level":"fatal","msg":"forged"}\n\u2028two' });
  });
});
