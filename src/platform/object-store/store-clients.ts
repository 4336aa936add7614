import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type * as Sdk from '@aws-sdk/client-s3';
import type { BucketAddress, BucketKey } from '../env/bucket-address.js';
import { Lazy } from '../memory/lazy.js';

/** What a request of a {@link ObjectStore} needs. */
export interface StoreConnection {
  readonly sdk: typeof Sdk;
  /** For contents that are read as slowly as a visitor takes them. */
  readonly read: Sdk.S3Client;
  /** For everything else: slow visitors take no connection of it. */
  readonly work: Sdk.S3Client;
}

export type StoreRequest<T> = (
  connection: StoreConnection,
  options: { readonly abortSignal: AbortSignal },
) => Promise<T>;

const ATTEMPTS = 3;
const CONNECT_MS = 5_000;
/** The longest silence of the storage. */
const SILENCE_MS = 30_000;
/** The longest time until an answer begins, over all attempts. */
const ANSWER_MS = 60_000;
const MAX_READS = 512;
const MAX_WORK = 64;

/** Connections to a storage. The package is loaded by the first request (ADR 18). */
export class StoreClients {
  private readonly connection = new Lazy(() => this.open());

  constructor(
    private readonly address: BucketAddress,
    private readonly key: BucketKey,
  ) {}

  /** Sends a request; the bound in time ends when the answer begins. */
  async send<T>(request: StoreRequest<T>): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), ANSWER_MS);
    try {
      return await request(await this.connection.get(), { abortSignal: limit.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const opened = await this.connection.current?.catch(() => undefined);
    opened?.read.destroy();
    opened?.work.destroy();
  }

  private async open(): Promise<StoreConnection> {
    const sdk = await import('@aws-sdk/client-s3');
    return { sdk, read: this.client(sdk, MAX_READS), work: this.client(sdk, MAX_WORK) };
  }

  private client(sdk: typeof Sdk, maxSockets: number): Sdk.S3Client {
    const { endpoint, region, pathStyle } = this.address;
    const agent = { keepAlive: true, maxSockets };
    return new sdk.S3Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      region,
      forcePathStyle: pathStyle,
      credentials: { accessKeyId: this.key.id, secretAccessKey: this.key.secret },
      maxAttempts: ATTEMPTS,
      // Every part has its MD5; many storages know no other sums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        httpAgent: new HttpAgent(agent),
        httpsAgent: new HttpsAgent(agent),
      },
    });
  }
}
