import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DAILY, Recurs, SECRET_KEY } from '../../platform/index.js';
import { KnownNetworksRepository } from './known-networks.repository.js';

/** The origin of a request. */
export interface Source {
  readonly address: string;
  /** The network around the address. */
  readonly network: string;
}

const PARTS = ['address', 'network'] as const;

/** The secret that was right in a sign-in from a network. An account with a second factor is known by its codes. */
type Proof = 'password' | 'code';

/** The networks that accounts signed in from. Only keyed hashes are stored. */
@Injectable()
export class KnownNetworksService {
  constructor(
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly networks: KnownNetworksRepository,
  ) {}

  /** The part of a source that the account signed in from. Does the same work when there is no account (threat O12). */
  async knownPart(
    accountId: string | undefined,
    source: Source,
    proof: Proof = 'password',
  ): Promise<keyof Source | undefined> {
    const account = accountId ?? '';
    const position = await this.networks.firstKnown(account, this.hashes(account, source, proof));
    return position === undefined ? undefined : PARTS[position - 1];
  }

  /** Stores that the account signed in from a source. */
  async add(accountId: string, source: Source, proof: Proof = 'password'): Promise<void> {
    await this.networks.add(accountId, this.hashes(accountId, source, proof));
  }

  /** Removes networks that nobody used for long. */
  @Recurs({ job: 'oauth.purge-known-networks', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.networks.purge();
  }

  private hashes(accountId: string, source: Source, proof: Proof): Buffer[] {
    const what = proof === 'password' ? 'known network' : 'network of a code';
    return PARTS.map((part) =>
      createHmac('sha256', this.secretKey).update(`${what} ${accountId} ${source[part]}`).digest(),
    );
  }
}
