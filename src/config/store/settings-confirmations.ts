import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { DatabaseSignals, RunningServers } from '../../platform/index.js';

const CHANNEL = 'svc_settings_applied';

/** The result of a change, and the numbers of server processes and of those that confirmed it. */
export interface Confirmation<T> {
  readonly result: T;
  readonly running: number;
  readonly confirmed: number;
}

/** Lets an operator's command, which is a process of its own, wait until the servers follow a change of settings. */
@Injectable()
export class SettingsConfirmations {
  private readonly processId = randomUUID();

  constructor(
    private readonly signals: DatabaseSignals,
    private readonly servers: RunningServers,
  ) {}

  /** Confirms that this process follows a change. */
  async confirm(changeId: string): Promise<void> {
    await this.signals.send(CHANNEL, `${changeId} ${this.processId}`);
  }

  /** Applies a change under an id, and waits for the confirmations of all other processes, at most so many ms. */
  async afterChange<T>(change: (changeId: string) => Promise<T>, withinMs: number): Promise<Confirmation<T>> {
    const messages = new Set<string>();
    const events = new EventEmitter();
    const stop = await this.signals.listen(CHANNEL, (message) => {
      messages.add(message);
      events.emit('message');
    });
    try {
      const running = await this.servers.count();
      const changeId = randomUUID();
      const result = await change(changeId);
      const own = `${changeId} ${this.processId}`;
      const confirmed = () => [...messages].filter((text) => text.startsWith(`${changeId} `) && text !== own).length;
      const signal = AbortSignal.timeout(withinMs);
      while (confirmed() < running && !signal.aborted) await once(events, 'message', { signal }).catch(() => undefined);
      return { result, running, confirmed: confirmed() };
    } finally {
      stop();
    }
  }
}
