import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ActiveSet } from '../memory/active-set.js';

/** Longer requests are cut off. */
const FINISH_MS = 25_000;
const LOOK_MS = 25;
/** After this long without requests the load balancers have dropped this process. */
const QUIET_MS = 1_000;
const UNAVAILABLE = 503;
/** Node warns above 10. A pipeline that sends a file adds 7 to those of the gate, the metrics, the log and this class. */
const MAX_LISTENERS = 20;

/**
 * Ends an HTTP server without losing a request (threat P1). From the start of the end every answer closes its
 * connection. For a time of grace the server still listens, because load balancers notice the end with a delay; then it
 * waits for the running requests.
 */
@Injectable()
export class Draining {
  private readonly sockets = new ActiveSet<Socket>();
  private readonly answers = new ActiveSet<ServerResponse>();
  private readonly goodbyes: (() => void | Promise<void>)[] = [];
  private server: Server | undefined;
  private isBegun = false;
  /** When the last request was answered with anything but "not ready". */
  private lastServed = 0;

  /** Whether the process should get no more requests. */
  get hasBegun(): boolean {
    return this.isBegun;
  }

  /** Watches a server, before it listens. */
  attach(server: Server): void {
    this.server = server;
    server.on('connection', (socket) => {
      socket.once('close', this.sockets.add(socket));
    });
    server.prependListener('request', (_request, answer) => {
      if (this.isBegun) announceEnd(answer);
      answer.setMaxListeners(MAX_LISTENERS);
      const removeAnswer = this.answers.add(answer);
      answer.once('close', () => {
        removeAnswer();
        if (answer.statusCode !== UNAVAILABLE) this.lastServed = performance.now();
      });
    });
  }

  /** Adds a function that ends long-lived connections, such as WebSockets; called when the server listens no more. */
  beforeStop(goodbye: () => void | Promise<void>): void {
    this.goodbyes.push(goodbye);
  }

  /** Resolves when all connections are closed; those still open after `finishMs` are cut off. */
  async drain(graceMs: number, finishMs = FINISH_MS): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.isBegun = true;
    const deadline = performance.now() + finishMs;
    for (const answer of this.answers.items) announceEnd(answer);
    if (graceMs > 0) await this.untilNobodyAsks(performance.now() + graceMs);
    server.close();
    await Promise.allSettled(this.goodbyes.map(async (goodbye) => goodbye()));
    await this.untilAllClosed(deadline, () => this.closeIdle(server));
    for (const socket of this.sockets.items) socket.destroy();
  }

  /** Closes idle connections, and unused ones that browsers opened ahead. */
  private closeIdle(server: Server): void {
    server.closeIdleConnections();
    for (const socket of this.sockets.items) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * A moment without a connection proves nothing: every answer closes its own, and the next request may be on its way.
   * It would be lost if the server stopped listening then.
   */
  private async untilNobodyAsks(deadline: number): Promise<void> {
    this.lastServed = performance.now();
    const isQuiet = () => performance.now() - this.lastServed >= QUIET_MS;
    await this.untilAllClosed(deadline, undefined, isQuiet);
  }

  /**
   * Checks again and again, each time right after reading: closing the server at such a moment cuts off no connection
   * that was opened or used before it.
   */
  private async untilAllClosed(
    deadline: number,
    meanwhile: () => void = () => undefined,
    isEnough: () => boolean = () => true,
  ): Promise<void> {
    while (performance.now() < deadline) {
      await nextTurn();
      meanwhile();
      if (this.sockets.size === 0 && isEnough()) return;
      await delay(LOOK_MS);
    }
  }
}

function announceEnd(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
