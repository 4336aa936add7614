import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AccountResolver, type AccountRow, AccountsService, RemoteAccounts } from '../accounts/index.js';

/** Implements the port {@link RemoteAccounts} with the accounts that are stored here. */
@Injectable()
export class AccountResolverService implements AccountResolver, OnModuleInit {
  constructor(
    private readonly port: RemoteAccounts,
    private readonly accounts: AccountsService,
  ) {}

  onModuleInit(): void {
    this.port.use(this);
  }

  resolve(handleOrUri: string): Promise<AccountRow | undefined> {
    return this.accounts.stored(handleOrUri);
  }
}
