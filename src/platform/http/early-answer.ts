import { type ServerResponse, STATUS_CODES } from 'node:http';

const RETRY_SECONDS = 5;

/** An answer without the application: the same headers for each, and `{error}` as JSON. */
function partsOf(
  status: number,
  error = STATUS_CODES[status] ?? 'Error',
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ error });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*', // browser apps must be able to read the reason (threat H21)
    ...(status === 503 ? { 'Retry-After': String(RETRY_SECONDS) } : {}),
  };
  return { headers, body };
}

/** Bytes of an unread body that are accepted; a longer one costs its connection. */
const MAX_UNREAD_BODY = 65_536;

/** Answers a request before the application sees it, and closes a connection with a long body still to come. */
export function answerEarly(response: ServerResponse, status: number, error?: string): void {
  const { headers, body } = partsOf(status, error);
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = response.req.headers;
  response.shouldKeepAlive &&= encoding === undefined && Number(length) <= MAX_UNREAD_BODY;
  response.writeHead(status, headers).end(body);
}

/** The same answer as bytes, for a connection with an unreadable request. It closes the connection. */
export function earlyAnswerBytes(status: number, error?: string): string {
  const { headers, body } = partsOf(status, error);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
