import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { asReason, phrase, type Phrase } from '../../common/index.js';

/** Requests that take longer count as failed. */
const TIME_MS = 60_000;
/** As much of an answer as is looked at. */
const MAX_ANSWER_BYTES = 262_144;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sending {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** Resolves with the first bytes of the answer instead of its end. */
  readonly firstBytes?: boolean;
  readonly timeMs?: number;
  /** Ends the request before its time. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A request to this server's own public address. The guarded fetcher is for addresses that others name, and refuses the
 * private ones that a name may have by mistake. Certificates are looked at by a check of their own.
 */
export function send(url: URL, options: Sending = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, firstBytes = false, timeMs = TIME_MS } = options;
  const time = AbortSignal.timeout(timeMs);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = options.signal ? AbortSignal.any([time, options.signal]) : time;
  const sent = request(url, { method, headers, rejectUnauthorized: false, signal, agent: false }, (response) => {
    let text = '';
    const finish = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      if (text.length < MAX_ANSWER_BYTES) text += part;
      if (firstBytes) finish();
      if (firstBytes) sent.destroy();
    });
    response.on('end', finish);
    response.on('error', reject);
  });
  sent.on('error', reject);
  if (body) body.on('error', reject).pipe(sent);
  else sent.end();
  return promise;
}

/** The reason of a failed request, in a few words. */
export function reasonOf(error: unknown): Phrase {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return asReason(String(error));
  const isLate = error.name === 'TimeoutError' || error.name === 'AbortError';
  return isLate ? phrase('no answer in time') : asReason(error.message);
}
