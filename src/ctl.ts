/* Operator commands: `npm run ctl -- <topic> <verb>`. Works beside a running server, and starts its database if need be. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { DomainError } from './common/index.js';
import {
  CommandError,
  commands,
  EnvironmentError,
  hintOf,
  requestOf,
  type Services,
  type Tools,
  UsageError,
} from './ctl/index.js';
import { migrate, migrationState } from './migrate.js';
import {
  type BorrowedDatabase,
  attachDatabase,
  readEnv,
  requireDatabase,
  requireServerFiles,
  StartError,
} from './platform/index.js';

const FAILED = 1;
const MISUSED = 2;
const INTERRUPTED = 130;

/** Logs go to standard error: standard output belongs to the result. */
const log: LoggerService = {
  log: () => undefined,
  warn: (...words: unknown[]) => console.error(...words),
  error: (...words: unknown[]) => console.error(...words),
};

/** Starts the database and the services when a command first asks for them. */
class Workshop implements Tools, AsyncDisposable {
  private readonly env = readEnv(process.env);
  private database: Promise<BorrowedDatabase> | undefined;
  private application: INestApplicationContext | undefined;

  constructor(private readonly signal: AbortSignal) {}

  async services(): Promise<Services> {
    this.application ??= await this.start();
    const application = this.application;
    return { get: (type) => application.get(type, { strict: false }) };
  }

  async migrations() {
    return migrationState((await this.borrowed()).address);
  }

  async migrate(): Promise<string[]> {
    return migrate((await this.borrowed()).address);
  }

  print(...lines: readonly string[]): void {
    for (const line of lines) console.log(line);
  }

  async askSecret(question: string): Promise<string | undefined> {
    if (!process.stdin.isTTY) return undefined;
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    process.stderr.write(question);
    try {
      return await terminal.question('', { signal: this.signal });
    } finally {
      terminal.close();
      process.stderr.write('\n');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.application?.close();
    const database = await this.database?.catch(() => undefined); // the failure was reported already
    await database?.release();
  }

  private async start(): Promise<INestApplicationContext> {
    const { pending, unknown } = await this.migrations();
    if (pending.length > 0) throw new StartError('The database is not up to date: run `npm run ctl -- migrate` first.');
    if (unknown.length > 0) throw new StartError('The database was used by a newer version: run that one.');
    requireServerFiles(this.env);
    const { address } = await this.borrowed();
    const module = AppModule.register(this.env, address);
    return NestFactory.createApplicationContext(module, { logger: log, abortOnError: false });
  }

  private async borrowed(): Promise<BorrowedDatabase> {
    const { env, signal } = this;
    requireDatabase(env);
    this.database ??= attachDatabase({ env, signal, sessionName: 'svc ctl', log: (line) => console.error(line) });
    return this.database;
  }
}

async function main(args: readonly string[], signal: AbortSignal): Promise<void> {
  const request = requestOf(commands, args);
  if ('help' in request) {
    console.log(request.help);
    return;
  }
  await using workshop = new Workshop(signal);
  const interrupted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  await Promise.race([request.run(workshop), interrupted]);
}

/** Reports a failure and returns the exit code: expected failures without a stack. */
function explain(error: unknown, args: readonly string[]): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n${hintOf(commands, args)}`);
    return MISUSED;
  }
  const isExpected = error instanceof CommandError || error instanceof StartError || error instanceof DomainError;
  console.error(isExpected ? error.message : error);
  return error instanceof EnvironmentError ? MISUSED : FAILED;
}

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
const args = process.argv.slice(2);
try {
  await main(args, stop.signal);
} catch (error) {
  process.exitCode = stop.signal.aborted ? INTERRUPTED : explain(error, args);
}
process.exit();
