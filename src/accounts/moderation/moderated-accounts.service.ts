import { Inject, Injectable } from '@nestjs/common';
import {
  Invalid,
  listedTotal,
  localDomains,
  NotFound,
  phrase,
  searchedDomain,
  Unprocessable,
} from '../../common/index.js';
import { ENV, type Env, isFlakeId } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import type { OwnRow } from '../model/account.rows.js';
import { parseHandle } from '../model/nickname.js';
import {
  type AccountSearch,
  type ModeratedAccount,
  ModeratedAccountRepository,
} from './moderated-account.repository.js';

/** A local user with its owner's columns. */
export interface Credentials {
  readonly own: OwnRow;
  readonly email: string | null;
}

const MAX_TAGS = 50;

/** Local and remote accounts in any state, for the staff. */
@Injectable()
export class ModeratedAccountsService {
  private readonly ownDomains: readonly string[];

  constructor(
    @Inject(ENV) env: Env,
    private readonly accounts: ModeratedAccountRepository,
    private readonly rows: AccountRepository,
  ) {
    this.ownDomains = localDomains(env);
  }

  /** A page of accounts, the newest first, and how many there are. */
  async page(
    search: AccountSearch,
    limit: number,
    offset: number,
  ): Promise<{ accounts: ModeratedAccount[]; count: number }> {
    const wanted = this.local(search);
    const [accounts, counted] = await Promise.all([
      this.accounts.page(wanted, limit, offset),
      this.accounts.count(wanted),
    ]);
    return { accounts, count: listedTotal(counted, { limit, offset, found: accounts.length }) };
  }

  /** The number of local accounts in any state, at most 10,000. */
  countLocal(): Promise<number> {
    return this.accounts.count({ filters: ['local'] });
  }

  /** In no order; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<ModeratedAccount[]> {
    return this.accounts.byIds(ids);
  }

  /** @throws NotFound for what is no account */
  async named(nicknameOrId: string): Promise<ModeratedAccount> {
    const [byId] = isFlakeId(nicknameOrId) ? await this.accounts.byIds([nicknameOrId]) : [];
    return byId ?? this.one(nicknameOrId);
  }

  /** @throws NotFound for what is no account */
  async one(nickname: string): Promise<ModeratedAccount> {
    const [account] = await this.all([nickname]);
    if (!account) throw new NotFound('Not found');
    return account;
  }

  /**
   * Each account once, in the order of their nicknames.
   * @throws Invalid for no nickname at all, NotFound if one of them is unknown
   */
  async all(nicknames: readonly string[]): Promise<ModeratedAccount[]> {
    if (nicknames.length === 0) throw new Invalid('nicknames is missing');
    const handles = nicknames.map((nickname) => parseHandle(nickname, this.ownDomains));
    const known = handles.filter((handle) => handle !== undefined);
    const accounts = await this.accounts.byHandles(known);
    if (accounts.length < nicknames.length) throw new NotFound('Not found');
    return [...new Map(accounts.map((account) => [account.id, account])).values()];
  }

  /**
   * A local user with what it set for itself.
   * @throws NotFound for what is no local user
   */
  async credentials(nickname: string): Promise<Credentials> {
    const { id, email } = await this.one(nickname);
    const own = await this.rows.own(id);
    if (!own) throw new NotFound('Not found');
    return { own, email };
  }

  /**
   * Adds tags to an account; some of them restrict it (`model/restrictions.ts`).
   * @throws Unprocessable when it would have too many, NotFound for no account
   */
  async tag(id: string, tags: readonly string[]): Promise<void> {
    if (await this.accounts.tag(id, tags, MAX_TAGS)) return;
    if ((await this.accounts.byIds([id])).length === 0) throw new NotFound();
    throw new Unprocessable(phrase('An account has at most {max} tags', { max: MAX_TAGS }));
  }

  async untag(id: string, tags: readonly string[]): Promise<void> {
    await this.accounts.untag(id, tags);
  }

  /** Reads `alice@<our domain>` as the local `alice`, and our domain alone as all local accounts. */
  private local(search: AccountSearch): AccountSearch {
    const wanted = (search.query ?? '').replace(/^@/, '');
    const isDomain = this.ownDomains.includes(searchedDomain(wanted));
    const [query = '', domain] = isDomain ? ['', wanted] : wanted.split('@');
    const isOurs = domain !== undefined && this.ownDomains.includes(searchedDomain(domain));
    return isOurs ? { ...search, query, filters: [...(search.filters ?? []), 'local'] } : search;
  }
}
