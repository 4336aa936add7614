import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

const ofAccount = sql<SealedKeyRow>(
  'signatures.key',
  `select a.ap_id as "apId", k.private_sealed as "privateSealed" from keys k join accounts a on a.id = k.account_id
   where k.account_id = $1`,
);

export interface SealedKeyRow {
  readonly apId: string;
  readonly privateSealed: Buffer;
}

/** Reads the sealed private keys of local accounts. */
@Injectable()
export class SigningKeyRepository {
  constructor(private readonly db: Database) {}

  ofAccount(accountId: string): Promise<SealedKeyRow | undefined> {
    return this.db.first(ofAccount, [accountId]);
  }
}
