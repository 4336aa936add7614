/* The least cost of HTTP: node:http alone, answering `/<n>` with n bytes. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const bodies = new Map<string, Buffer>();

function bodyFor(path: string): Buffer {
  const body = bodies.get(path) ?? Buffer.alloc(Number(path.slice(1)), 'x');
  bodies.set(path, body);
  return body;
}

const server = createServer((request, response) => {
  const body = bodyFor(request.url ?? '/0');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
