import { type AddressInfo, createServer } from 'node:net';
import { startApp, type TestApp } from './app.js';

const LOOPBACK = '127.0.0.1';

/**
 * Starts a test server for real clients: it listens on a free port of this machine, and its base URL is the
 * address there. `overrides` are environment variables.
 */
export async function startListeningApp(overrides: Record<string, string> = {}, free?: number): Promise<TestApp> {
  const port = free ?? (await freePort());
  const app = await startApp({ BASE_URL: `http://${LOOPBACK}:${port}`, PORT: String(port), ...overrides });
  await app.nest.listen(port, LOOPBACK);
  return app;
}

/** A port that nobody listens on. The base URL holds it, so it must be known before the server is made. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .on('error', reject)
      .listen(0, LOOPBACK, () => {
        const { port } = probe.address() as AddressInfo;
        probe.close(() => resolve(port));
      });
  });
}
