import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  type AccountRow,
  AccountsService,
  acctOf,
  BlocksService,
  type FollowOptions,
  FollowsService,
  type Handle,
  parseHandle,
  UsersService,
} from '../../accounts/index.js';
import { DomainError, Invalid, localDomains, phrase, TooManyRequests, Unprocessable } from '../../common/index.js';
import { ENV, type Env, Handles, inSlices, job, Jobs, Recurs, UnitOfWork } from '../../platform/index.js';
import { type ImportAction, type ListedAccount, readList } from './import-list.js';
import { type ImportEntryRow, ImportsRepository } from './imports.repository.js';

/** Processes a batch of an account's imported entries. */
export const WorkOffImports = job<{ accountId: string }>('portability.work-off-imports', 'transfer', {
  isResumed: true,
});

/** Accounts on one list. */
const MAX_LISTED = 10_000;
/** The limit of one account's waiting entries, of all lists together; the last accepted list may exceed it. */
const MAX_WAITING = 30_000;
const WAITING_RETRY_SECONDS = 600;
/** Entries per job, so that a long list does not delay others, and a process that dies costs a try of these alone. */
const BATCH = 20;
const RESUMED_AT_ONCE = 1_000;
/** Concurrent lookups of remote accounts. */
const LOOKUPS_AT_ONCE = 8;
/** The delays between attempts for an unreachable account, in seconds; after that it is skipped. */
const TRY_AGAIN_AFTER = [60, 600, 3_600, 21_600, 86_400] as const;
/** The most bytes of an address, which an index holds. */
const MAX_ADDRESS_BYTES = 2_000;
/** The address of an actor or of its page. */
const ADDRESS = /^https?:\/\/\S{1,2000}$/i;

/** Follows, blocks and mutes the accounts of imported lists (spec §4.2). */
@Injectable()
export class ImportsService {
  private readonly logger = new Logger(ImportsService.name);
  private readonly ownDomains: readonly string[];

  constructor(
    @Inject(ENV) env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly entries: ImportsRepository,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly follows: FollowsService,
    private readonly blocks: BlocksService,
  ) {
    this.ownDomains = localDomains(env);
  }

  /**
   * Accepts a list: jobs process every entry that is stored when this returns.
   * @throws Invalid when the list has no account, Unprocessable when it has too many, TooManyRequests while too many wait
   */
  async accept(accountId: string, action: ImportAction, text: string): Promise<void> {
    const list = await this.readable(text);
    if (list.length === 0) throw new Invalid('list names no accounts');
    await this.uow.run(async () => {
      const added = await this.entries.add(accountId, action, list, MAX_WAITING);
      if (!added) throw new TooManyRequests(WAITING_RETRY_SECONDS, 'Earlier lists are still being worked on');
      this.enqueue(accountId);
    });
  }

  /** Processes an account's next entries, and schedules another job when there are more. */
  @Handles(WorkOffImports)
  async workOff({ accountId }: { accountId: string }): Promise<void> {
    if (!(await this.isActive(accountId))) return this.entries.drop(accountId);
    const due = await this.entries.due(accountId, BATCH);
    const targets = await this.targets(due);
    for (const entry of due) await this.dealWith(accountId, entry, targets.get(entry.id));
    if (due.length === BATCH) await this.enqueueFor([accountId]);
  }

  /**
   * Schedules jobs for due entries, and for those whose job failed. Entries that wait for longer than any attempt does are due
   * too: a clock that was ahead leaves such times.
   */
  @Recurs({ job: 'portability.resume-imports', everyMinutes: 10 })
  async resume(): Promise<void> {
    await this.entries.hasten(Math.max(...TRY_AGAIN_AFTER));
    await this.enqueueFor(await this.entries.accountsWithDue(RESUMED_AT_ONCE));
  }

  private enqueueFor(accountIds: readonly string[]): Promise<void> {
    return this.uow.run(() => {
      accountIds.forEach((accountId) => this.enqueue(accountId));
    });
  }

  private enqueue(accountId: string): void {
    this.jobs.enqueue(WorkOffImports, { accountId }, { key: `import:${accountId}` });
  }

  /** The accounts on a list under one name each, without invalid names. Stops at the first that is one too many. */
  private async readable(text: string): Promise<ListedAccount[]> {
    const byAddress = new Map<string, ListedAccount>();
    await inSlices(readList(text), (listed) => {
      const address = listed && this.written(listed.address);
      if (address === undefined) return;
      byAddress.set(address.toLowerCase(), { ...listed, address });
      if (byAddress.size > MAX_LISTED)
        throw new Unprocessable(phrase('list must hold at most {max} accounts', { max: MAX_LISTED }));
    });
    return [...byAddress.values()];
  }

  private written(address: string): string | undefined {
    if (ADDRESS.test(address)) return Buffer.byteLength(address) <= MAX_ADDRESS_BYTES ? address : undefined;
    const handle = this.handleOf(address.replace(/^acct:/i, ''));
    return handle && acctOf(handle.username, handle.domain ?? null);
  }

  private handleOf(address: string): Handle | undefined {
    return parseHandle(address, this.ownDomains);
  }

  private async isActive(accountId: string): Promise<boolean> {
    const account = await this.accounts.byId(accountId);
    return account?.deletedAt === null && (await this.users.facts(accountId)).active;
  }

  /** The accounts of the entries, by the entries' ids: looks up known ones here, and others at their servers. */
  private async targets(entries: readonly ImportEntryRow[]): Promise<Map<string, string>> {
    const found = await this.known(entries);
    const unknown = entries.filter(({ id, address }) => !found.has(id) && isElsewhere(address));
    for (let at = 0; at < unknown.length; at += LOOKUPS_AT_ONCE) {
      const some = unknown.slice(at, at + LOOKUPS_AT_ONCE);
      const asked = await Promise.all(some.map(({ address }) => this.ask(address)));
      some.forEach(({ id }, index) => {
        const account = asked[index];
        if (account) found.set(id, account.id);
      });
    }
    return found;
  }

  private async known(entries: readonly ImportEntryRow[]): Promise<Map<string, string>> {
    const named = entries.flatMap(({ id, address }) => {
      const handle = this.handleOf(address);
      return handle ? [{ id, handle }] : [];
    });
    const known = await this.accounts.known(named.map(({ handle }) => handle));
    return new Map(
      named.flatMap(({ id, handle }) => {
        const found = known.mention({ username: handle.username, domain: handle.domain });
        return found ? [[id, found.accountId]] : [];
      }),
    );
  }

  /** A remote account; undefined when there is none or it cannot be fetched now. */
  private async ask(address: string): Promise<AccountRow | undefined> {
    try {
      return await this.accounts.resolve(address);
    } catch (error) {
      if (!(error instanceof DomainError)) this.logger.warn({ err: error }, 'An account of a list could not be found');
      return undefined;
    }
  }

  /** Takes the entry and acts on it in one unit of work: both happen once, or neither. */
  private async dealWith(accountId: string, entry: ImportEntryRow, targetId: string | undefined): Promise<void> {
    if (targetId === undefined) return this.dealWithUnknown(entry);
    try {
      await this.uow.run(async () => {
        const taken = await this.entries.claim(entry.id); // a later list may have another action
        if (taken) await unlessRefused(this.act(accountId, targetId, taken));
      });
    } catch (error) {
      this.logger.warn({ err: error, action: entry.action }, 'An account of a list could not be dealt with');
      await this.later(entry);
    }
  }

  private act(accountId: string, targetId: string, { action, notifications, ...options }: ImportEntryRow) {
    switch (action) {
      case 'follow':
        return this.follows.follow(accountId, targetId, optionsOf(options));
      case 'block':
        return this.blocks.block(accountId, targetId);
      case 'mute':
        return this.blocks.mute(accountId, targetId, { notifications: notifications ?? true });
    }
  }

  /** Drops an unknown local name for good, and retries an unknown remote one later. */
  private async dealWithUnknown(entry: ImportEntryRow): Promise<void> {
    if (isElsewhere(entry.address)) await this.later(entry);
    else await this.entries.claim(entry.id);
  }

  private async later({ id, attempts }: ImportEntryRow): Promise<void> {
    const seconds = TRY_AGAIN_AFTER[attempts];
    if (seconds === undefined) await this.entries.giveUp(id, attempts);
    else await this.entries.postpone(id, seconds);
  }
}

function optionsOf({
  reblogs,
  notify,
  languages,
}: Pick<ImportEntryRow, 'reblogs' | 'notify' | 'languages'>): FollowOptions {
  return { reblogs: reblogs ?? undefined, notify: notify ?? undefined, languages: languages ?? undefined };
}

/** Whether the address may need a remote lookup; a bare name is local. */
function isElsewhere(address: string): boolean {
  return address.includes('@') || ADDRESS.test(address);
}

/** Skips accounts that refuse, and the account itself. Refusals come before any write. */
async function unlessRefused(acting: Promise<unknown>): Promise<void> {
  try {
    await acting;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
