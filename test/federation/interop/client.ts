import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait for something to arrive: some servers check their queues only every few seconds. */
const PATIENCE_MS = Number(process.env['WAIT'] ?? 20_000);
const POLL_MS = 250;
const REQUEST_MS = 20_000;

/** A server refused a request of one of its own users. */
export class Refused extends Error {
  readonly server: string;
  readonly status: number;

  constructor(server: string, status: number, request: string, text: string) {
    super(`${server} answers ${request} with ${status} ${text.replace(/\s+/g, ' ').slice(0, 120)}`);
    this.server = server;
    this.status = status;
  }
}

/** Something did not arrive in time. */
export class Missing extends Error {}

/** A signed-in user of a server, through the API that apps use. */
export class Client {
  readonly server: string;
  private readonly base: string;
  private readonly token: string;

  constructor(server: string, base: string, token: string) {
    this.server = server;
    this.base = base;
    this.token = token;
  }

  get<T>(path: string): Promise<T> {
    return this.ask<T>('GET', path);
  }

  post<T>(path: string, values: object = {}): Promise<T> {
    return this.ask<T>('POST', path, JSON.stringify(values));
  }

  put<T>(path: string, values: object): Promise<T> {
    return this.ask<T>('PUT', path, JSON.stringify(values));
  }

  delete<T>(path: string): Promise<T> {
    return this.ask<T>('DELETE', path);
  }

  form<T>(path: string, fields: Record<string, string>, file: { name: string; content: Buffer }): Promise<T> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(file.name, new Blob([new Uint8Array(file.content)], { type: 'image/png' }), 'picture.png');
    return this.ask<T>('POST', path, form);
  }

  /** Returns undefined when the object does not exist or is hidden from this user. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.get<T>(path);
    } catch (error) {
      if (error instanceof Refused && [401, 403, 404, 410].includes(error.status)) return undefined;
      throw error;
    }
  }

  private async ask<T>(method: string, path: string, body?: string | FormData): Promise<T> {
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': 'interop',
      authorization: `Bearer ${this.token}`,
      connection: 'close', // snac2 closes idle connections without notice
    };
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    const signal = AbortSignal.timeout(REQUEST_MS);
    const answer = await fetch(new URL(path, this.base), { method, headers, body: body ?? null, signal });
    const text = await answer.text();
    if (!answer.ok) throw new Refused(this.server, answer.status, `${method} ${path}`, text);
    return (text === '' ? {} : JSON.parse(text)) as T;
  }
}

/** Repeats a request until there is an answer. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Missing(what);
    await delay(POLL_MS);
  }
}

/** Waits until a condition holds. */
export async function wait(what: string, holds: () => Promise<boolean>): Promise<void> {
  await until(what, async () => ((await holds()) ? true : undefined));
}
