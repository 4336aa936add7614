import { setTimeout as delay } from 'node:timers/promises';
import type { LoadBalancer } from '../../test/process/load-balancer.ts';
import { until } from '../../test/process/scratch.ts';
import type { Chance } from '../chance.ts';
import { Acts, type Reply, type Send } from './acts.ts';
import { when } from './kind.ts';
import type { System } from './system.ts';

/** What an app does. */
export type Act = (acts: Acts, send: Send) => Promise<Reply>;

/** What apps do, as often as it stands here; in another order each time. */
const MIX: readonly Act[] = [
  ...Array<Act>(6).fill((acts, send) => acts.post(send)),
  ...Array<Act>(4).fill((acts, send) => acts.favourite(send)),
  ...Array<Act>(2).fill((acts, send) => acts.follow(send)),
  ...Array<Act>(3).fill((acts, send) => acts.chatMessage(send)),
  (acts, send) => acts.upload(send),
  (acts, send) => acts.importFollows(send),
  (acts, send) => acts.orderArchive(send),
  ...Array<Act>(2).fill((acts, send) => acts.read(send)),
];
/** An app that got no answer waits. */
const PAUSE_MS = 20;
/** How long posts without an answer are sent again. */
const PATIENCE_MS = 60_000;

/** Apps that do one thing after the other, each, until they are stopped. */
export class Traffic {
  /** The statuses of answers that are no success, and the words of errors. */
  readonly failures: string[] = [];
  successes = 0;
  private readonly deck: Act[] = [];
  private isOver = false;
  private running: Promise<unknown> = Promise.resolve();
  private readonly send: Send;

  constructor(
    system: System,
    readonly balancer: LoadBalancer,
    readonly acts: Acts,
    private readonly chance: Chance,
    private readonly mix: readonly Act[] = MIX,
  ) {
    this.send = (method, path, body, { token = system.data.writer, headers } = {}) =>
      balancer.send(method, path, token, body, headers);
  }

  /** @param pauseMs what each app waits after an answer */
  start(apps: number, pauseMs = 0): void {
    this.isOver = false;
    this.running = Promise.all(Array.from({ length: apps }, () => this.use(pauseMs)));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /**
   * Waits until so many more things have succeeded.
   * @throws Error when the time for it is over
   */
  async untilMore(count: number): Promise<void> {
    const goal = this.successes + count;
    await until(`${count} more to succeed`, () => this.successes >= goal);
  }

  /**
   * Waits until something of each kind was acknowledged: what happens then, happens to each.
   * @throws Error when the time for it is over
   */
  async untilEach(): Promise<void> {
    await until('each kind to succeed', () => Object.values(this.acts.done.byKind).every((count) => count > 0));
  }

  /** Does one thing; notes a failure. */
  async once(act: Act = this.next()): Promise<Reply | undefined> {
    try {
      const reply = await act(this.acts, this.send);
      if (reply.status >= 400) this.failures.push(String(reply.status));
      else this.successes += 1;
      return reply;
    } catch (error) {
      this.failures.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Sends posts without an answer again, with the same key, until each is answered. */
  async answerDrafts(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (this.acts.hasDrafts && performance.now() < deadline)
      await this.oneAfterPause((acts, send) => acts.post(send));
  }

  get figures(): Readonly<Record<string, number>> {
    return { requests: this.successes, failed: this.failures.length };
  }

  /** How many failures there were of each kind that is not allowed. */
  complaints(allowed = /^$/): string[] {
    const counts = new Map<string, number>();
    for (const what of this.failures) counts.set(what, (counts.get(what) ?? 0) + 1);
    return [...counts].flatMap(([what, count]) => when(!allowed.test(what), `${count} requests failed: ${what}`));
  }

  private async use(pauseMs: number): Promise<void> {
    while (!this.isOver) {
      await this.oneAfterPause(this.next());
      if (pauseMs > 0) await delay(pauseMs);
    }
  }

  private async oneAfterPause(act: Act): Promise<void> {
    const before = this.failures.length;
    await this.once(act);
    if (this.failures.length > before) await delay(PAUSE_MS);
  }

  private next(): Act {
    if (this.deck.length === 0) this.deck.push(...this.mix);
    return this.deck.splice(this.chance.below(this.deck.length), 1)[0]!;
  }
}
