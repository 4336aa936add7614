import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody else's web server, on this machine: what it answers is chosen path by path. */
export interface WebHost {
  /** `127.0.0.1` with its port. */
  readonly host: string;
  readonly origin: string;
  /** Paths that were asked for since the last look, in order. */
  asked(): string[];
  /** Answers a path with a page from now on. */
  page(path: string, html: string): void;
  /** Answers a path in any way from now on; without a listener it is not found. */
  at(path: string, listener?: RequestListener): void;
  close(): Promise<void>;
}

/** For `ALLOWED_PRIVATE_ADDRESSES` of the server that is to reach it. */
export const WEB_HOST_ADDRESS = '127.0.0.1';

export async function startWebHost(address = WEB_HOST_ADDRESS): Promise<WebHost> {
  const answers = new Map<string, RequestListener>();
  let asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers.get(path);
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
