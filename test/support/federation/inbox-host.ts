import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApp } from '../servers/app.js';

export const INBOX_HOST_ADDRESS = '127.0.0.1';

/** An activity that an inbox received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly activity: Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };
}

/** The answer of an inbox: a status with headers, or no answer at all. */
export type InboxAnswer = number | { readonly status: number; readonly headers: Record<string, string> } | 'hang up';

/** A remote server with inboxes only: `/inbox` for all accounts, and one for each account. */
export interface InboxHost {
  readonly host: string;
  /** Sets the answers from now on; the first answer is 202. */
  answer(decide: (received: Received) => InboxAnswer | Promise<InboxAnswer>): void;
  /** The activities received since the last call, in order. */
  received(): Received[];
  /** The types of these activities, in order. */
  types(): string[];
  /** Creates an account with an inbox here; returns its id. */
  account(app: TestApp, name: string, options?: { readonly hasSharedInbox?: boolean }): Promise<string>;
  uri(name: string): string;
  close(): Promise<void>;
}

export async function startInboxHost(): Promise<InboxHost> {
  let decide: (received: Received) => InboxAnswer | Promise<InboxAnswer> = () => 202;
  let got: Received[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end(); // it has inboxes only
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const activity = JSON.parse(body) as Received['activity'];
      const received = { path: request.url ?? '', headers: request.headers, body, activity };
      got.push(received);
      void Promise.resolve(decide(received)).then((answer) => {
        if (answer === 'hang up') return request.socket.destroy();
        const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
        return response.writeHead(status, headers).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, INBOX_HOST_ADDRESS, resolve));
  const host = `${INBOX_HOST_ADDRESS}:${(server.address() as AddressInfo).port}`;
  const uri = (name: string) => `http://${host}/users/${name}`;
  const received = () => got.splice(0);
  return {
    host,
    uri,
    received,
    answer: (next) => (decide = next),
    types: () => received().map(({ activity }) => activity.type),
    account: async (app, name, { hasSharedInbox = true } = {}) => {
      const { id } = await app.world.remote(name, host);
      await app.sql(`update accounts set ap_id = $2, inbox_url = $2 || '/inbox', shared_inbox_url = $3 where id = $1`, [
        id,
        uri(name),
        hasSharedInbox ? `http://${host}/inbox` : null,
      ]);
      return id;
    },
    close: () => {
      got = [];
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
