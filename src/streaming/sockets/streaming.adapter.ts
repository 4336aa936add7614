import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type INestApplication, Logger } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { MessageMappingProperties } from '@nestjs/websockets';
import { lastValueFrom, type Observable } from 'rxjs';
import type { WebSocketServer } from 'ws';
import { Busy, DomainError, Unavailable } from '../../common/index.js';
import { POOL_SIZE, Semaphore } from '../../platform/index.js';
import { ConnectionLimits } from '../connections/connection-limits.js';
import type { Frame } from '../connections/frame.js';
import { LiveChannels } from '../connections/live-channels.js';
import { CloseCode } from '../connections/session.js';
import { Sessions } from '../connections/sessions.js';
import { type AuthorizedConnection, StreamAuthorizer } from '../connections/stream-authorizer.js';
import { SHOUTBOX_PATH } from './channel-messages.js';
import { ClientMessages } from './client-messages.js';
import { SocketSession } from './socket-session.js';

/** How long a handshake waits for its turn while thousands of clients connect again at the same moment. */
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 30;

type Transform = (result: unknown) => Observable<Frame | undefined>;

/**
 * Nest's adapter for `ws`, with authorization before the handshake (docs/adr/0012): a refused client gets the status
 * and body of the API. The clients of the gateway are {@link SocketSession}s. Logs no request, since its address may
 * hold a token (threat W7).
 */
export class StreamingAdapter extends WsAdapter {
  protected override readonly logger = new Logger('Streaming');
  private readonly authorizer: StreamAuthorizer;
  private readonly limits: ConnectionLimits;
  private readonly sessions: Sessions;
  private readonly channels: LiveChannels;
  /** Leaves a connection to the database for requests: handshakes do not pass their gate. */
  private readonly handshakes: Semaphore;

  constructor(app: INestApplication) {
    super(app, { messageParser: app.get(ClientMessages).parse });
    this.authorizer = app.get(StreamAuthorizer);
    this.limits = app.get(ConnectionLimits);
    this.sessions = app.get(Sessions);
    this.channels = app.get(LiveChannels);
    this.handshakes = new Semaphore(POOL_SIZE - 1);
  }

  /** Does not log errors of clients: the close code tells the client. */
  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    return server;
  }

  override bindClientDisconnect({ raw }: SocketSession, callback: () => void): void {
    raw.once('close', callback);
  }

  /** Handles the messages of a client one after the other, and sends the frame that a handler returns. */
  override bindMessageHandlers(
    session: SocketSession,
    handlers: MessageMappingProperties[],
    transform: Transform,
  ): void {
    session.onText(async (data) => {
      const byType = new Map(handlers.map((handler) => [handler.message as string, handler])); // kept by no idle socket
      try {
        const replies = this.bindMessageHandler({ data }, byType, transform) as Observable<Frame | undefined>;
        const reply = await lastValueFrom(replies, { defaultValue: undefined });
        if (reply) session.send(reply);
      } catch (error) {
        this.logger.error({ err: error }, 'A message of a client could not be handled');
        session.close(CloseCode.tryAgainLater, 'Try again later');
      }
    });
  }

  /**
   * Takes the upgrades of the API's server. Other requests to upgrade, such as to HTTP/2, are served as plain requests.
   */
  protected override ensureHttpServerExists(port: number, server?: Server): Server | undefined {
    if (!server || this.httpServersRegistry.has(port)) return undefined;
    this.httpServersRegistry.set(port, server);
    Object.assign(server, {
      shouldUpgradeCallback: (request: IncomingMessage) => this.serverFor(request, port) !== undefined,
    });
    return server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const webSockets = this.serverFor(request, port);
      if (webSockets) void this.upgrade(webSockets, request, socket, head);
    });
  }

  /** The WebSocket server for the requested path, with or without a trailing slash. */
  private serverFor({ url = '', headers }: IncomingMessage, port: number): WebSocketServer | undefined {
    if (headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
    const path = url.split('?', 1)[0]?.replace(/\/$/, '');
    const servers = this.wsServersRegistry.get(port) as WebSocketServer[] | undefined;
    return servers?.find((server) => server.path === path);
  }

  private async upgrade(
    webSockets: WebSocketServer,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    socket.on('error', ignore); // the client may leave while its token is looked up
    try {
      this.sessions.requireAccepting();
      socket.once('close', this.limits.claimStream(request)); // also while the caller is looked up
      const { auth, subscription } = await this.authorizeInTurn(webSockets, request);
      await this.channels.join();
      this.sessions.requireAccepting();
      const address = this.limits.addressOf(request);
      this.limits.requireFree(auth, address);
      socket.off('error', ignore);
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSockets.emit('connection', new SocketSession(webSocket, socket, auth, address), subscription);
      });
    } catch (error) {
      this.refuse(socket, error);
    }
  }

  private authorizeInTurn(webSockets: WebSocketServer, request: IncomingMessage): Promise<AuthorizedConnection> {
    const cameAt = performance.now();
    return this.handshakes.run(async () => {
      if (performance.now() - cameAt > MAX_WAIT_MS) throw new Busy('Too many live streams', {}, RETRY_SECONDS);
      return webSockets.path === SHOUTBOX_PATH
        ? this.authorizer.authorizeShoutbox(request)
        : this.authorizer.authorizeConnection(request);
    });
  }

  /** Responds to an upgrade request with the error that the API would send, and closes the connection. */
  private refuse(socket: Duplex, reason: unknown): void {
    if (!(reason instanceof DomainError)) this.logger.error({ err: reason }, 'A connection could not be opened');
    const { status, headers, body } = reason instanceof DomainError ? reason : new Unavailable();
    const text = JSON.stringify(body);
    const lines = Object.entries({
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'private, no-store',
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    socket.once('finish', () => socket.destroy());
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'));
  }
}

function ignore(): void {
  // 'close' follows
}
