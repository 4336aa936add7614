import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * Below the ports that the system assigns to connections and to servers with port 0, so that none of them takes ours.
 */
const FIRST_PORT = 11_000;
const PORTS = 20_000;
/** Each process of a run starts at another port. */
let nextPort = (process.pid * 499) % PORTS;

/**
 * Returns a port without a listener, another one at each call. The base URL contains it, so it must be known before the
 * server is created.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = FIRST_PORT + nextPort;
    nextPort = (nextPort + 1) % PORTS;
    if (await isFree(port)) return port;
  }
  throw new Error('All ports are taken');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .on('error', () => resolve(false))
      .listen(port, LOOPBACK, () => probe.close(() => resolve(true)));
  });
}
