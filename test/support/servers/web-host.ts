import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useStarted } from './use.js';

/** Another web server on this machine, with chosen answers for each path. */
export interface WebHost {
  /** `127.0.0.1` with its port. */
  readonly host: string;
  readonly origin: string;
  /** The requested paths since the last call, in order. */
  asked(): string[];
  /** Serves a page at a path from now on, with any query. */
  page(path: string, html: string): void;
  /** Sets the handler of a path; without one it answers 404. */
  at(path: string, listener?: RequestListener): void;
  close(): Promise<void>;
}

/** The value of `ALLOWED_PRIVATE_ADDRESSES` for a server that must reach it. */
export const WEB_HOST_ADDRESS = '127.0.0.1';

export async function startWebHost(address = WEB_HOST_ADDRESS): Promise<WebHost> {
  const answers = new Map<string, RequestListener>();
  let asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers.get(path) ?? answers.get(path.split('?')[0]!);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const host = `${address}:${(server.address() as AddressInfo).port}`;
  return {
    host,
    origin: `http://${host}`,
    asked: () => asked.splice(0),
    page: (path, html) => {
      answers.set(path, (_request, response) => response.setHeader('content-type', 'text/html').end(html));
    },
    at: (path, listener) => {
      if (listener) answers.set(path, listener);
      else answers.delete(path);
    },
    close: () => {
      asked = [];
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The web server of a spec file or a `describe`. It keeps the pages that tests serve. */
export function useWebHost(address?: string): WebHost {
  return useStarted(() => startWebHost(address));
}
