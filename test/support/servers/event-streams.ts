import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { TestApp } from './app.js';

/** A frame of an event stream. */
export interface StreamedEvent {
  readonly event: string;
  readonly data: string;
}

const PATIENCE_MS = 30_000;

/** A client of server-sent events that ends an event at any empty line, as simple clients do. */
export class TestEventStream {
  /** Received comments, such as `:thump`. */
  readonly comments: string[] = [];
  /** Resolves when either side has closed the connection. */
  readonly ended: Promise<void>;
  private readonly events: StreamedEvent[] = [];
  private lines: string[] = [];
  private unread = '';
  private onEvent: (() => void) | undefined;

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.read(text));
    this.ended = new Promise((resolve) => response.once('close', resolve));
    response.on('error', () => undefined); // the server may close the connection
  }

  /** The next event. */
  async next(): Promise<StreamedEvent> {
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    while (this.events.length === 0) {
      await Promise.race([
        new Promise<void>((resolve) => (this.onEvent = resolve)),
        once(deadline, 'abort').then(() => Promise.reject(new Error('No event came'))),
      ]);
    }
    return this.events.shift()!;
  }

  /** The events before the marker, which is consumed too. */
  async until(isMarker: (event: StreamedEvent) => boolean): Promise<StreamedEvent[]> {
    const before: StreamedEvent[] = [];
    for (let event = await this.next(); !isMarker(event); event = await this.next()) before.push(event);
    return before;
  }

  async close(): Promise<void> {
    this.response.destroy();
    await this.ended;
  }

  private read(text: string): void {
    const lines = (this.unread + text).split('\n');
    this.unread = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith(':')) this.comments.push(line);
      else if (line !== '') this.lines.push(line);
      else {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(this.lines.splice(0).join('\n')) ?? [];
        this.events.push({ event, data });
      }
    }
    this.onEvent?.();
  }
}

/** Requests a stream from a listening server; the token goes into the header unless the query has it. */
export async function openEvents(
  app: TestApp,
  path: string,
  token?: string,
  query: Record<string, string> = {},
): Promise<TestEventStream> {
  const url = new URL(`/api/v1/streaming/${path}?${new URLSearchParams(query).toString()}`, app.env.baseUrl);
  const asked = request(url, { headers: token ? { authorization: `Bearer ${token}` } : {}, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return new TestEventStream(response);
}
