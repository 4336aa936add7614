import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { BackupError } from './backup/index.js';
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
import { migrate, migrationState, schemaMaker } from './migrate.js';
import {
  type BorrowedDatabase,
  attachDatabase,
  claimDatabase,
  COMMAND_LOCKS,
  type DatabaseAddress,
  type Env,
  readEnv,
  requireDatabase,
  requireServerFiles,
  StartError,
  startProblem,
  StorageError,
} from './platform/index.js';

const FAILED = 1;
const MISUSED = 2;
const INTERRUPTED = 130;
/** How long an interrupted command may take to undo what it began, such as an upload in parts. */
const UNDO_MS = 10_000;

/** The output of a command: its result to `log`, all else to `error`. */
export type Output = Pick<Console, 'log' | 'error'>;

/** Starts the database and the services when a command first asks for them. */
class Workshop implements Tools, AsyncDisposable {
  readonly schema = schemaMaker;
  private attached: Promise<BorrowedDatabase> | undefined;
  private readonly claimed: BorrowedDatabase[] = [];
  private application: INestApplicationContext | undefined;

  constructor(
    readonly env: Env,
    readonly signal: AbortSignal,
    private readonly output: Output,
  ) {}

  async services(): Promise<Services> {
    this.application ??= await this.start();
    const application = this.application;
    return { get: (type) => application.get(type, { strict: false }) };
  }

  async migrations() {
    return migrationState((await this.borrowed()).address);
  }

  async migrate(): Promise<string[]> {
    const { output, signal } = this;
    return migrate((await this.borrowed()).address, { log: (line) => output.error(line), signal });
  }

  async database(): Promise<DatabaseAddress> {
    return (await this.borrowed()).address;
  }

  async claim(databaseUrl: string | undefined): Promise<DatabaseAddress> {
    const { env, signal, output } = this;
    const log = (line: string) => output.error(line);
    const database = await claimDatabase({ env: { ...env, databaseUrl }, signal, sessionName: COMMAND_LOCKS, log });
    this.claimed.push(database);
    return database.address;
  }

  print(...lines: readonly string[]): void {
    for (const line of lines) this.output.log(line);
  }

  warn(line: string): void {
    this.output.error(line);
  }

  askSecret(question: string): Promise<string | undefined> {
    return this.answerTo(question, new Writable({ write: (_chunk, _encoding, done) => done() }));
  }

  ask(question: string): Promise<string | undefined> {
    return this.answerTo(question, process.stderr);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.application?.close();
    const database = await this.attached?.catch(() => undefined); // the failure was reported already
    await database?.release();
    for (const claimed of this.claimed) await claimed.release();
  }

  private async start(): Promise<INestApplicationContext> {
    const { pending, unknown } = await this.migrations();
    if (pending.length > 0) throw new StartError('The database is not up to date: run `npm run ctl -- migrate` first.');
    if (unknown.length > 0) throw new StartError('The database was used by a newer version: run that one.');
    requireServerFiles(this.env);
    const { address } = await this.borrowed();
    const module = AppModule.register({ ...this.env, role: 'web' }, address); // it hands jobs over and runs none
    const error = (...words: unknown[]) => {
      if (!startProblem(words[0])) this.output.error(...words); // else the command ends with the sentence
    };
    const logger: LoggerService = { log: () => undefined, warn: error, error };
    return NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  }

  /** @param echo shows what is typed */
  private async answerTo(question: string, echo: NodeJS.WritableStream): Promise<string | undefined> {
    if (!process.stdin.isTTY) return undefined;
    const terminal = createInterface({ input: process.stdin, output: echo, terminal: true });
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    process.stderr.write(question);
    try {
      return await terminal.question('', { signal: this.signal });
    } finally {
      terminal.close();
      process.stderr.write('\n');
    }
  }

  private async borrowed(): Promise<BorrowedDatabase> {
    const { env, signal, output } = this;
    requireDatabase(env);
    this.attached ??= attachDatabase({ env, signal, sessionName: COMMAND_LOCKS, log: (line) => output.error(line) });
    return this.attached;
  }
}

/**
 * Runs an operator command beside a running server, and starts its database if need be.
 * @returns the exit code: 0, 1 when something went wrong, 2 for a wrong call, 130 when `signal` interrupted it
 */
export async function runOperatorCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
  output: Output,
): Promise<number> {
  try {
    const request = requestOf(commands, args);
    if ('help' in request) {
      output.log(request.help);
      return 0;
    }
    await using workshop = new Workshop(readEnv(environment), signal, output);
    const ended = new AbortController();
    await Promise.race([request.run(workshop), whenOverdue(signal, ended.signal)]).finally(() => ended.abort());
    return signal.aborted ? INTERRUPTED : 0;
  } catch (error) {
    return signal.aborted ? INTERRUPTED : explain(error, args, output);
  }
}

/** Rejects when the command has not `ended` in time after the signal. */
async function whenOverdue(signal: AbortSignal, ended: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort', { signal: ended });
  await delay(UNDO_MS, undefined, { signal: ended });
  throw signal.reason;
}

/** Reports a failure and returns the exit code: expected failures without a stack. */
function explain(error: unknown, args: readonly string[], output: Output): number {
  if (error instanceof UsageError) {
    output.error(`${error.message}\n${hintOf(commands, args)}`);
    return MISUSED;
  }
  const expected = [CommandError, DomainError, BackupError, StorageError];
  const isExpected = error instanceof Error && expected.some((each) => error instanceof each);
  output.error(isExpected ? error.message : (startProblem(error)?.message ?? error));
  return error instanceof EnvironmentError ? MISUSED : FAILED;
}
