import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, acctOf, parseHandle, ProfileService } from '../../accounts/index.js';
import { localDomains, NotFound, Unprocessable } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';

/** Manages aliases: other accounts of the same owner, which may move to this one (spec §4.2). */
@Injectable()
export class AliasesService {
  private readonly ownDomains: readonly string[];

  constructor(
    @Inject(ENV) env: Env,
    private readonly accounts: AccountsService,
    private readonly profiles: ProfileService,
  ) {
    this.ownDomains = localDomains(env);
  }

  /** The handles of an account's aliases; an address for an account that is unknown here. */
  async list(accountId: string): Promise<string[]> {
    return [...(await this.names(accountId)).values()];
  }

  /**
   * Adds an account by its handle or address; resolves unknown remote accounts.
   * @throws NotFound when there is none, Unprocessable for the account itself and when there are too many
   */
  async add(accountId: string, alias: string): Promise<void> {
    const target = await this.target(alias);
    if (target.id === accountId) throw new Unprocessable('An account is no alias of itself');
    await this.profiles.addAlias(accountId, target.apId);
  }

  /** Removes an alias by its listed name. Throws NotFound when there is none. */
  async remove(accountId: string, alias: string): Promise<void> {
    const wanted = this.written(alias);
    const names = [...(await this.names(accountId))];
    const uri = names.find(([address, name]) => address === alias || name.toLowerCase() === wanted)?.[0];
    const removed = uri !== undefined && (await this.profiles.removeAlias(accountId, uri));
    if (!removed) throw new NotFound('Account has no such alias.');
  }

  private async target(alias: string) {
    try {
      return await this.accounts.resolve(alias);
    } catch (error) {
      if (error instanceof NotFound) throw new NotFound('Target account does not exist.', { cause: error });
      throw error;
    }
  }

  /** The names of the aliases by address, in order. */
  private async names(accountId: string): Promise<Map<string, string>> {
    const aliases = (await this.accounts.byId(accountId))?.alsoKnownAs ?? [];
    const handles = await this.accounts.handlesByUri(aliases);
    return new Map(aliases.map((uri) => [uri, handles.get(uri) ?? uri]));
  }

  private written(alias: string): string | undefined {
    const handle = parseHandle(alias.replace(/^acct:/i, ''), this.ownDomains);
    return handle && acctOf(handle.username, handle.domain ?? null).toLowerCase();
  }
}
