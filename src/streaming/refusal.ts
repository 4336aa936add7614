import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Logger } from '@nestjs/common';
import { DomainError, Unavailable } from '../common/index.js';

const logger = new Logger('Streaming');

/** Answers a request to upgrade as the API answers failures, and ends the connection. */
export function refuse(socket: Duplex, reason: unknown): void {
  const { status, headers, body } = failureOf(reason);
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

/** What nobody expected, such as a database that is away, is logged; the client may come back. */
function failureOf(reason: unknown): DomainError {
  if (reason instanceof DomainError) return reason;
  logger.error({ err: reason }, 'A connection could not be opened');
  return new Unavailable();
}
