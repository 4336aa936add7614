import { setTimeout as delay } from 'node:timers/promises';
import type { Data } from '../data.ts';
import { Connection, requestBytes } from '../load.ts';

const TICK_MS = 10;
const MAX_CONNECTIONS = 2_000;

/** A typical mix: mostly reading, one post in twenty requests. */
export function mixOf({ writer, reader }: Data): () => Buffer {
  const [own, other] = [{ authorization: `Bearer ${writer}` }, { authorization: `Bearer ${reader}` }];
  const reads = ['timelines/home', 'notifications', 'timelines/public', 'accounts/verify_credentials'];
  const requests = reads.map((path, at) => requestBytes(`/api/v1/${path}`, at % 2 === 0 ? own : other));
  let turn = 0;
  return () => {
    turn += 1;
    if (turn % 20 > 0) return requests[turn % requests.length]!;
    return requestBytes('/api/v1/statuses', own, { status: `Post ${turn}` });
  };
}

/** Sends requests at their time, whether or not the previous ones were answered. */
export class OpenLoad {
  readonly statuses: Record<string, number> = {};
  readonly acknowledged: string[] = [];
  private readonly idle: Connection[] = [];
  private open = 0;
  private offered = 0;
  private readonly port: number;
  private readonly next: () => Buffer;

  constructor(port: number, next: () => Buffer) {
    this.port = port;
    this.next = next;
  }

  /** Returns the achieved rate of requests per second. */
  async run(rate: number, seconds: number, signal: AbortSignal): Promise<number> {
    const start = performance.now();
    const running = new Set<Promise<void>>();
    for (let sent = 0; performance.now() - start < seconds * 1_000 && !signal.aborted;) {
      const due = Math.floor(((performance.now() - start) / 1_000) * rate);
      for (; sent < due; sent += 1) {
        const request = this.send().finally(() => running.delete(request));
        running.add(request);
      }
      await delay(TICK_MS);
    }
    const offered = this.offered / ((performance.now() - start) / 1_000);
    await Promise.all(running);
    this.idle.forEach((connection) => connection.close());
    return offered;
  }

  private async send(): Promise<void> {
    const request = this.next();
    let connection = this.takeIdle();
    if (!connection && this.open >= MAX_CONNECTIONS) {
      this.count('not sent: all connections busy');
      return;
    }
    if (!connection) this.open += 1;
    try {
      connection ??= await Connection.open(this.port);
      this.offered += 1;
      const { status, body } = await connection.exchange(request);
      this.count(String(status));
      const isPost = request[0] === 'P'.charCodeAt(0);
      if (status === 200 && isPost) this.acknowledged.push((JSON.parse(body.toString()) as { id: string }).id);
      this.idle.push(connection);
    } catch (error) {
      this.open -= 1;
      connection?.close();
      this.count(error instanceof Error ? error.message : String(error));
    }
  }

  /** The newest idle connection that the server has not closed. */
  private takeIdle(): Connection | undefined {
    for (let connection = this.idle.pop(); connection; connection = this.idle.pop()) {
      if (connection.isOpen) return connection;
      this.open -= 1;
    }
    return undefined;
  }

  private count(what: string): void {
    this.statuses[what] = (this.statuses[what] ?? 0) + 1;
  }
}
