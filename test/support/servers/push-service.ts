import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useStarted } from './use.js';

/** A push as its push service received it. */
export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Answer = readonly [status: number, headers?: Record<string, string>];

/** A push service that records pushes. The test server must be allowed to reach {@link HOST}. */
export class PushService {
  static readonly HOST = '127.0.0.1';
  readonly received: ReceivedPush[] = [];
  private next: Answer[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks) });
        const [status, headers] = this.next.shift() ?? [201];
        response.writeHead(status, headers).end();
      });
    });
  }

  static async start(): Promise<PushService> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, PushService.HOST, resolve));
    return new PushService(server);
  }

  get origin(): string {
    return `http://${PushService.HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers the next pushes with these statuses in order; accepts all later ones. */
  answer(...answers: Answer[]): void {
    this.next = answers;
  }

  /** The pushes since the last call. */
  take(): ReceivedPush[] {
    return this.received.splice(0);
  }

  /** A new subscriber at this service. */
  subscriber(name = 'device'): Subscriber {
    return new Subscriber(`${this.origin}/push/${name}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The push service of a spec file or a `describe`; without pushes, and accepting them, before each test. */
export function usePushService(): PushService {
  const service = useStarted(() => PushService.start());
  beforeEach(() => {
    service.answer();
    service.take();
  });
  return service;
}

/** A browser or a relay: it has the keys of its endpoint, and decrypts pushes with code of its own. */
export class Subscriber {
  private readonly curve: ECDH = createECDH('prime256v1');
  private readonly secret = randomBytes(16);

  constructor(readonly endpoint: string) {
    this.curve.generateKeys();
  }

  get keys() {
    return { p256dh: this.curve.getPublicKey('base64url'), auth: this.secret.toString('base64url') };
  }

  /** The message in a push, by RFC 8291 or the earlier drafts, as the push says. */
  open(push: ReceivedPush): Record<string, unknown> {
    const plain = push.headers['content-encoding'] === 'aesgcm' ? this.openDraft(push) : this.openStandard(push.body);
    return JSON.parse(plain.toString()) as Record<string, unknown>;
  }

  private openStandard(body: Buffer): Buffer {
    const [salt, keyLength] = [body.subarray(0, 16), body[20]!];
    const sender = body.subarray(21, 21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.curve.getPublicKey(), sender]);
    const key = derive(this.curve.computeSecret(sender), this.secret, info, 32);
    const plain = unseal(
      derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
      derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
      body.subarray(21 + keyLength),
    );
    return plain.subarray(0, plain.lastIndexOf(2)); // the delimiter of the last record
  }

  private openDraft({ headers, body }: ReceivedPush): Buffer {
    const salt = Buffer.from(parameter(headers['encryption'], 'salt'), 'base64url');
    const sender = Buffer.from(parameter(headers['crypto-key'], 'dh'), 'base64url');
    const key = derive(this.curve.computeSecret(sender), this.secret, Buffer.from('Content-Encoding: auth\0'), 32);
    const own = this.curve.getPublicKey();
    const context = Buffer.concat([Buffer.from('P-256\0'), Buffer.of(0, 65), own, Buffer.of(0, 65), sender]);
    const plain = unseal(
      derive(key, salt, Buffer.concat([Buffer.from('Content-Encoding: aesgcm\0'), context]), 16),
      derive(key, salt, Buffer.concat([Buffer.from('Content-Encoding: nonce\0'), context]), 12),
      body,
    );
    return plain.subarray(2 + plain.readUInt16BE());
  }
}

/** The claims in a push's signature (RFC 8292), verified with the public key that apps get. */
export function vapidClaims({ headers }: ReceivedPush, publicKey: string): { aud: string; exp: number; sub: string } {
  const authorization = headers.authorization ?? '';
  const token = /^(?:vapid t=|WebPush )([\w.-]+)/.exec(authorization)?.[1] ?? '';
  const named = authorization.startsWith('vapid ')
    ? parameter(authorization, 'k')
    : parameter(headers['crypto-key'], 'p256ecdsa');
  if (named !== publicKey) throw new Error(`The push names the key ${named}`);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const isRight = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!isRight) throw new Error('The signature of the push is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number; sub: string };
}

function parameter(header: unknown, name: string): string {
  return new RegExp(`(?:^|[;,\\s])${name}=([\\w-]+)`).exec(String(header))?.[1] ?? '';
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}
