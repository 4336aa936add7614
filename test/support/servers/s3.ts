import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { ObjectStore } from '../../../src/platform/index.js';
import { useStarted } from './use.js';

const BUCKET = 'files';
export const S3_KEY_ID = 'test-key-id';
/** No log and no answer may have it. */
export const S3_SECRET = 'hush-hush-secret-of-the-bucket';

/**
 * An S3 server in this process, behind a front that lets one access key in, and that can go away. The files it has are
 * lost at its end.
 */
export class S3Server {
  /** Requests that reached the front, as `GET /files/media/…`. */
  readonly requests: string[] = [];
  private lets: (request: string) => boolean | Promise<boolean> = () => true;

  private constructor(
    private readonly front: Server,
    private readonly back: FauxqsServer,
  ) {
    front.on('request', (request, response) => void this.pass(request, response));
  }

  static async start(): Promise<S3Server> {
    const back = await startFauxqs({ port: 0, logger: false });
    back.createBucket(BUCKET);
    const front = createServer();
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    return new S3Server(front, back);
  }

  /** The variables of a server that stores its files here, below `folder`. */
  env(folder = ''): Record<string, string> {
    return { STORAGE_URL: this.url(folder), AWS_ACCESS_KEY_ID: S3_KEY_ID, AWS_SECRET_ACCESS_KEY: S3_SECRET };
  }

  url(path = ''): string {
    return `s3://${BUCKET}/${path}?endpoint=${this.endpoint}`;
  }

  /** The bucket, below `folder`, for a look behind the server. */
  store(folder = '', partBytes?: number): ObjectStore {
    const prefix = folder === '' ? '' : `${folder}/`;
    const address = { bucket: BUCKET, prefix, endpoint: this.endpoint, region: 'us-east-1', pathStyle: true };
    return new ObjectStore(address, { id: S3_KEY_ID, secret: S3_SECRET }, undefined, partBytes);
  }

  /** The keys of all objects below a folder, sorted. */
  async keys(folder = ''): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.store(folder).list('')) keys.push(key);
    return keys.sort();
  }

  /** Breaks the connections of requests that `lets` is false for. */
  filter(lets: (request: string) => boolean | Promise<boolean>): void {
    this.lets = lets;
  }

  /** Lets nothing through any more. */
  goAway(): void {
    this.filter(() => false);
  }

  comeBack(): void {
    this.filter(() => true);
  }

  async close(): Promise<void> {
    this.front.closeAllConnections();
    this.front.close();
    await this.back.stop();
  }

  private get endpoint(): string {
    return `http://127.0.0.1:${(this.front.address() as AddressInfo).port}`;
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`;
    this.requests.push(line);
    if (!(await this.lets(line))) return void request.socket.destroy();
    if (!request.headers.authorization?.includes(`Credential=${S3_KEY_ID}/`)) return void response.writeHead(403).end();
    const { method, url: path, headers } = request;
    const passed = ask({ port: this.back.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  }
}

/** An S3 server for the tests of a spec file. */
export function useS3(): S3Server {
  const server = useStarted(() => S3Server.start());
  afterEach(() => server.comeBack());
  return server;
}
