import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';

const PROBE_MS = 200;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The server that answered. */
  readonly port: number;
}

interface Backend {
  readonly port: number;
  readonly agent: Agent;
  isUp: boolean;
}

/** What a request sends: JSON, or bytes of the type that the headers name. */
type Body = object | Uint8Array;

/**
 * Distributes requests like a load balancer: in turn, over persistent connections, to servers whose last probe of
 * `/health/ready` succeeded. A request that could not be sent goes to the next server; a request that was sent is never
 * repeated.
 */
export class LoadBalancer {
  private readonly backends: Backend[];
  private readonly probes: NodeJS.Timeout | undefined;
  private turn = 0;

  /** @param hasProbes whether it asks servers for their health; without, each is sent requests at any time */
  constructor(
    ports: readonly number[],
    private readonly hasProbes = true,
  ) {
    this.backends = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true }), isUp: true }));
    if (!hasProbes) return;
    this.probes = setInterval(() => this.backends.forEach((backend) => void this.probe(backend)), PROBE_MS);
  }

  /** Whether it sends requests to the server on this port. */
  uses(port: number): boolean {
    return this.backends.some((backend) => backend.port === port && backend.isUp);
  }

  /** @throws when a sent request gets no complete answer, or no server accepts it */
  async send(
    method: string,
    path: string,
    token: string,
    body?: Body,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    for (let attempt = 1; attempt <= this.backends.length; attempt += 1) {
      const backend = this.next();
      try {
        return await exchange(backend, method, path, token, body, headers);
      } catch (error) {
        if (!couldNotConnect(error)) throw error;
        backend.isUp = !this.hasProbes;
      }
    }
    throw new Error('No server takes requests');
  }

  close(): void {
    clearInterval(this.probes);
    for (const { agent } of this.backends) agent.destroy();
  }

  private next(): Backend {
    const up = this.backends.filter(({ isUp }) => isUp);
    this.turn += 1;
    const backend = up[this.turn % up.length];
    if (!backend) throw new Error('No server is ready');
    return backend;
  }

  private async probe(backend: Backend): Promise<void> {
    const { port } = backend;
    const answer = await exchange({ port, agent: new Agent() }, 'GET', '/health/ready', '').catch(() => undefined);
    backend.isUp = answer?.status === 200;
  }
}

function couldNotConnect(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error && error.syscall === 'connect';
}

function exchange(
  { port, agent }: Pick<Backend, 'port' | 'agent'>,
  method: string,
  path: string,
  token: string,
  body?: Body,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const authorization = token && { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization, ...more };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer: IncomingMessage) => {
      json(answer).then((value) => resolve({ status: answer.statusCode ?? 0, body: value, port }), reject);
    });
    asked.on('error', reject).end(body instanceof Uint8Array ? body : body && JSON.stringify(body));
  });
}
