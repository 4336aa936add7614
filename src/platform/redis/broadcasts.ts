import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BROADCASTS } from '../database/data-source.js';
import { DatabaseSignals } from '../database/database-signals.js';
import { ENV, type Env, isOneOfSeveral } from '../env/env.js';
import { Bus } from './bus.js';
import { entryLimit } from '../memory/cache.js';

/** What PostgreSQL carries: each of the connections of a process hears it. */
interface Broadcast {
  readonly id: string;
  readonly channel: string;
  readonly message: object;
}

/**
 * Publishes on the {@link Bus} what all processes must follow, such as changed settings. One of several servers sends it
 * through PostgreSQL too, for processes that do not hear each other through Redis.
 */
@Injectable()
export class Broadcasts {
  private readonly isAlone: boolean;
  /** The latest broadcasts that this process has sent or heard. */
  private readonly known = new LRUCache<string, true>(entryLimit(1_000));

  constructor(
    @Inject(ENV) env: Env,
    private readonly bus: Bus,
    private readonly signals: DatabaseSignals,
  ) {
    this.isAlone = !isOneOfSeveral(env);
    if (!this.isAlone) signals.follow(BROADCASTS, (text) => this.receive(text));
  }

  /** Calls the listeners of all processes, once or twice. The message has to be short. */
  async send(channel: string, message: object = {}): Promise<void> {
    this.bus.publish(channel, message);
    if (this.isAlone) return;
    const id = randomUUID();
    this.known.set(id, true);
    await this.signals.send(BROADCASTS, JSON.stringify({ id, channel, message } satisfies Broadcast));
  }

  private receive(text: string | undefined): void {
    if (text === undefined) {
      this.bus.noteGap();
      return;
    }
    const { id, channel, message } = JSON.parse(text) as Broadcast;
    if (this.known.has(id)) return;
    this.known.set(id, true);
    this.bus.publishHere(channel, message);
  }
}
