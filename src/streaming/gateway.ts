import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { Unavailable } from '../common/index.js';
import { Draining } from '../platform/index.js';
import { type Admitted, Admission } from './admission.js';
import { ClientEvents } from './client-events.js';
import { Places } from './places.js';
import { refuse } from './refusal.js';
import { CloseCode } from './session.js';
import { SocketSession } from './socket-session.js';
import { Sessions } from './sessions.js';

const PATH = /^\/api\/v1\/streaming\/?(\?|$)/;
/** Of one message of a client, in bytes and in pieces (threat W2). */
const MAX_PAYLOAD = 65_536;
const MAX_FRAGMENTS = 64;
const MAX_CHUNKS = 1_024;
/** So long clients have to say goodbye when the server stops. */
const FAREWELL_MS = 2_000;

/**
 * Takes over connections that become WebSockets (docs/adr/0012). Everything is refused before the upgrade, with the status
 * and body that the API would answer with; nothing here logs the request, whose address may hold a token (threat W7).
 */
@Injectable()
export class Gateway implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Gateway.name);
  private readonly webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_PAYLOAD,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    perMessageDeflate: false, // some 100 KB for each socket
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly draining: Draining,
    private readonly admission: Admission,
    private readonly sessions: Sessions,
    private readonly places: Places,
    private readonly events: ClientEvents,
  ) {}

  onApplicationBootstrap(): void {
    const adapter = this.host.httpAdapter as AbstractHttpAdapter<Server> | undefined;
    if (!adapter) return; // an operator's command: nobody can connect
    const server = adapter.getHttpServer();
    // All other requests to upgrade, such as to HTTP/2, are answered as if they had not asked.
    Object.assign(server, { shouldUpgradeCallback: isForUs });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.upgrade(request, socket, head);
    });
    this.draining.beforeStop(() => this.sayGoodbye());
  }

  /** For an application that is closed without being drained. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.sayGoodbye();
  }

  /** Those who do not answer in time are cut off. */
  private async sayGoodbye(): Promise<void> {
    this.sessions.end();
    for (const session of this.sessions) session.close(CloseCode.goingAway, 'The server stops');
    await this.sessions.emptied(FAREWELL_MS);
    for (const session of this.sessions) session.terminate();
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', ignore); // the client may leave while we look at its token
    try {
      const admitted = await this.admission.admit(request);
      if (this.sessions.areEnding) throw new Unavailable();
      const address = this.places.addressOf(request);
      this.places.require(admitted.auth, address);
      socket.off('error', ignore);
      this.webSockets.handleUpgrade(request, socket, head, (webSocket) => this.open(webSocket, admitted, address));
    } catch (error) {
      refuse(socket, error);
    }
  }

  private open(webSocket: WebSocket, { auth, subscription }: Admitted, address: string): void {
    const session = new SocketSession(webSocket, auth, address);
    this.sessions.add(session);
    if (subscription) this.sessions.subscribe(session, subscription);
    webSocket
      .on('message', (data, isBinary) => this.receive(session, data, isBinary))
      .on('ping', () => this.hear(session))
      .on('pong', () => session.heard())
      .on('error', ignore) // a client that breaks the protocol is told by the close code
      .on('close', () => this.sessions.remove(session));
  }

  private receive(session: SocketSession, data: RawData, isBinary: boolean): void {
    if (!this.hear(session)) return;
    const text = (data as Buffer).toString(); // a Buffer, since that is what the library hands out by default
    if (isBinary) session.close(CloseCode.unsupportedData, 'Text only');
    else
      void session
        .inTurn(() => this.events.handle(session, text))
        .catch((error: unknown) => this.giveUp(session, error));
  }

  private hear(session: SocketSession): boolean {
    session.heard();
    const mayGoOn = session.mayGoOn(performance.now());
    if (!mayGoOn) session.close(CloseCode.policyViolation, 'Too many messages');
    return mayGoOn;
  }

  private giveUp(session: SocketSession, error: unknown): void {
    this.logger.error({ err: error }, 'A message of a client could not be handled');
    session.close(CloseCode.tryAgainLater, 'Try again later');
  }
}

function isForUs({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && PATH.test(url);
}

function ignore(): void {
  // 'close' follows
}
