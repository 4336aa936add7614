import { setImmediate as loopTurn } from 'node:timers/promises';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Asker } from '../../../platform/index.js';
import { type FormattedText, handleKey, type TextResolver } from '../format.js';
import type { PostFormat } from '../markup.js';
import type { Handle } from '../scan.js';
import { PLAIN_WORK, TEXT_WORK, type TextNames, type TextWork } from './text-work.js';
import type { TextRequest } from './text.worker.js';

/** Longer texts leave the event loop. In UTF-16 units, of all texts of one piece of work. */
const MAX_ON_LOOP = 2_048;
/** Texts with more signs that may nest or link leave it too: a person writes fewer in so short a text. */
const MAX_SIGNS = 256;
const SIGNS = /[[(*_~`<&@#>\\]/g;
const START_MS = 10_000;
/** A thread without work ends after this time: it takes some 20 MB. */
const IDLE_MS = 10_000;
const MAX_HEAP_MB = 64;

/** Work that people wait for; it goes before the work on foreign texts. */
const URGENT: readonly (keyof TextWork)[] = ['findMentions', 'format', 'formatFields'];

/** Beside this file, built or as source: node runs both. */
const PROGRAM = new URL(`text.worker${extname(import.meta.url)}`, import.meta.url);

/** A piece of work that waits for the thread. */
interface Waiting extends TextRequest {
  readonly resolve: (result: unknown) => void;
}

/**
 * Parses, formats and sanitises texts. Short and simple ones at once; others in a thread with a deadline of 250 ms, so
 * that no text holds the event loop (threat F22). After the deadline the thread is ended and the plain text is kept.
 * The thread starts with the first long text and ends when it has no work.
 */
@Injectable()
export class TextWorkers implements OnApplicationShutdown {
  private readonly logger = new Logger(TextWorkers.name);
  private readonly urgent: Waiting[] = [];
  private readonly others: Waiting[] = [];
  private thread: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private isBusy = false;

  /** The time for one piece of work, from when the thread begins with it. Tests change it: they run on busy machines. */
  deadlineMs = 250;

  constructor(private readonly asker: Asker) {}

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.idle);
    await this.endThread();
  }

  /** The accounts that a typed text names, to be loaded before {@link format}. */
  findMentions(source: string, type: PostFormat): Promise<Handle[]> {
    return this.run('findMentions', source, type);
  }

  /** A typed text as HTML, with links to the accounts among `handles` that `resolve` knows. */
  format(
    source: string,
    type: PostFormat,
    { handles, resolve }: { readonly handles: readonly Handle[]; readonly resolve: TextResolver },
  ): Promise<FormattedText> {
    const known = handles.flatMap((handle) => {
      const account = resolve.mention(handle);
      return account ? [[handleKey(handle), account] as const] : [];
    });
    const names: TextNames = { mentions: new Map(known), baseUrl: resolve.baseUrl };
    return this.run('format', source, type, names);
  }

  /**
   * Does a piece of work. The length of all texts in its arguments decides where it is done.
   * @throws MustWait for work that leaves the event loop, where nothing may be waited for
   */
  async run<Name extends keyof TextWork>(
    name: Name,
    ...args: Parameters<TextWork[Name]>
  ): Promise<ReturnType<TextWork[Name]>> {
    type Result = ReturnType<TextWork[Name]>;
    if (!isHeavy(textsIn(args))) return (TEXT_WORK[name] as (...args: readonly unknown[]) => Result)(...args);
    this.asker.requireMayWait();
    return new Promise((resolve) => {
      const waiting = { name, args, resolve: resolve as (result: unknown) => void };
      (URGENT.includes(name) ? this.urgent : this.others).push(waiting);
      if (!this.isBusy) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    clearTimeout(this.idle);
    for (let next: Waiting | undefined; (next = this.urgent.shift() ?? this.others.shift());) {
      const result = this.inThread(next);
      next.resolve(result);
      await result.catch(() => undefined);
    }
    this.isBusy = false;
    this.thread?.unref();
    this.idle = setTimeout(() => void this.endThread(), IDLE_MS).unref();
  }

  private async inThread({ name, args }: TextRequest): Promise<unknown> {
    try {
      const thread = (this.thread ??= await this.startThread());
      thread.ref();
      return await answerOf(thread, this.deadlineMs, () => thread.postMessage({ name, args } satisfies TextRequest));
    } catch (error) {
      await this.endThread();
      this.logger.debug({ err: error, work: name }, 'A text is kept as plain text');
      return (PLAIN_WORK[name] as (...args: readonly unknown[]) => unknown)(...args);
    }
  }

  private async startThread(): Promise<Worker> {
    const thread = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    thread.on('error', () => undefined); // whoever waits for an answer gets it
    thread.once('exit', () => {
      if (this.thread === thread) this.thread = undefined;
    });
    try {
      await answerOf(thread, START_MS);
    } catch (error) {
      await thread.terminate();
      this.logger.error({ err: error }, 'The thread for long texts does not start');
      throw error;
    }
    return thread;
  }

  private async endThread(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    await thread?.terminate();
  }
}

/**
 * The next message of a thread.
 * @throws Error when there is none in time, and when the thread fails
 */
async function answerOf(thread: Worker, deadlineMs: number, ask?: () => void): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const failed = (error: unknown) =>
    reject(error instanceof Error ? error : new Error(`The thread ended: ${String(error)}`));
  // When the loop itself was held, the answer may be here: it is read before the turn ends.
  const timer = setTimeout(() => void loopTurn().then(() => failed('it took too long')), deadlineMs);
  thread.once('message', resolve).once('error', failed).once('exit', failed);
  try {
    ask?.();
    return await promise;
  } finally {
    clearTimeout(timer);
    thread.off('message', resolve).off('error', failed).off('exit', failed);
  }
}

/** The texts in the arguments of work. The names in a map are looked up, not parsed. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

function isHeavy(texts: Iterable<string>): boolean {
  let [length, signs] = [0, 0];
  for (const text of texts) {
    length += text.length;
    if (length > MAX_ON_LOOP) return true;
    signs += text.match(SIGNS)?.length ?? 0;
  }
  return signs > MAX_SIGNS;
}
