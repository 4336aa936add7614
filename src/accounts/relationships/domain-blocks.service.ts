import { Injectable } from '@nestjs/common';
import { Invalid, normalizeDomain, Page, type PageQuery } from '../../common/index.js';
import { bigintKeyset, Events, newestFirst, Subscribes, UnitOfWork } from '../../platform/index.js';
import { DomainBlocked } from '../model/accounts.events.js';
import { DomainBlockRepository } from './domain-block.repository.js';
import { FollowsService } from './follows.service.js';
import { type FollowsWithServer, ServerFollowsRepository } from './server-follows.repository.js';

/**
 * Blocks of whole servers. Accounts of a blocked domain are hidden and cause no notifications; the follows in both directions
 * end, and none can begin.
 */
@Injectable()
export class DomainBlocksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly domains: DomainBlockRepository,
    private readonly follows: FollowsService,
    private readonly serverFollows: ServerFollowsRepository,
    private readonly events: Events,
  ) {}

  /** Blocks a domain, in any spelling; a job ends the follows in both directions. Throws Invalid for an invalid domain. */
  async block(accountId: string, domain: string): Promise<void> {
    const name = normalised(domain);
    await this.uow.run(async () => {
      await this.domains.lock(accountId);
      if (await this.domains.block(accountId, name)) this.events.emit(new DomainBlocked(accountId, name));
    });
  }

  /** Lifts a block. Nothing happens when there is none. Throws Invalid for an invalid domain. */
  async unblock(accountId: string, domain: string): Promise<void> {
    await this.domains.unblock(accountId, normalised(domain));
  }

  /** The accepted follows that a block of the domain would end, counted within bounds. Throws Invalid for an invalid domain. */
  preview(accountId: string, domain: string): Promise<FollowsWithServer> {
    return this.serverFollows.count(accountId, normalised(domain));
  }

  /** The blocked domains, the latest first. */
  async list(accountId: string, query: PageQuery): Promise<Page<string>> {
    const keyset = bigintKeyset(query);
    const rows = newestFirst(await this.domains.page(accountId, keyset, query.offset), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.cursor, last: last.cursor }).map(({ domain }) => domain);
  }

  /** Ends the follows between the account and the blocked domain, in batches. */
  @Subscribes(DomainBlocked, { job: 'accounts.remove-followers-of-domain', queue: 'maintenance' })
  async endFollows({ accountId, domain }: DomainBlocked): Promise<void> {
    await this.follows.endWithServer(accountId, domain);
  }
}

function normalised(domain: string): string {
  const name = normalizeDomain(domain.trim());
  if (name === undefined) throw new Invalid('domain must be the name of a server');
  return name;
}
