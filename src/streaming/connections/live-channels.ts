import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Bus, type BusListener } from '../../platform/index.js';

/** How long a process without clients still hears the messages for them: most clients connect again. */
const UNUSED_MS = 60_000;

/**
 * The channels of the bus whose messages are for clients. A process joins them before its first connection opens, and
 * leaves them some time after the last one has closed: messages for clients reach only processes that have some.
 */
@Injectable()
export class LiveChannels implements OnModuleDestroy {
  private readonly listeners = new Map<string, BusListener>();
  private joining: Promise<(() => void)[]> | undefined;
  private usedAt = 0;

  constructor(private readonly bus: Bus) {}

  /** Calls the listener with each message of a channel while clients are connected. */
  listen(channel: string, listener: BusListener): void {
    this.listeners.set(channel, listener);
  }

  /** Resolves when the messages arrive. To be called before a connection opens. */
  async join(): Promise<void> {
    this.usedAt = performance.now();
    this.joining ??= Promise.all([...this.listeners].map(([channel, listener]) => this.bus.join(channel, listener)));
    await this.joining;
  }

  /** Leaves the channels when no client has been connected for some time. Called about once a second. */
  leaveUnused(isUsed: boolean, now: number): void {
    if (isUsed) this.usedAt = now;
    else if (now - this.usedAt >= UNUSED_MS) void this.leave();
  }

  onModuleDestroy(): Promise<void> {
    return this.leave();
  }

  private async leave(): Promise<void> {
    const { joining } = this;
    this.joining = undefined;
    for (const leave of (await joining) ?? []) leave();
  }
}
