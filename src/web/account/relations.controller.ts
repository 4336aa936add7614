import { Get, Post } from '@nestjs/common';
import { AccountView, DomainBlocksService, RelatedAccountsService } from '../../accounts/index.js';
import {
  Input,
  OneOf,
  OptionalText,
  type PageAnswer,
  type PageContent,
  PageQuery,
  RootApi,
  SignedIn,
} from '../../common/index.js';
import { AppPeople } from '../app/people/app-people.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';
import { type Said, pathOf } from './account.pages.js';
import { type Relation, RELATIONS, relationsPage, type ShownRelations } from './relations.page.js';

const MAX_DOMAIN_LENGTH = 512;

class RelationsQuery extends PageQuery {
  @OneOf(RELATIONS) of: Relation = 'mutes';
}

class ServerFormBody {
  @OneOf(['block', 'unblock']) op: 'block' | 'unblock' = 'block';
  @OptionalText({ max: MAX_DOMAIN_LENGTH }) domain = '';
}

/** The page on which people look through their mutes and blocks. */
@RootApi('auth/account/follows')
export class RelationsController {
  constructor(
    private readonly pages: SessionPages,
    private readonly related: RelatedAccountsService,
    private readonly domains: DomainBlocksService,
    private readonly view: AccountView,
    private readonly people: AppPeople,
  ) {}

  @Get()
  @SignedIn()
  show(@Input(RelationsQuery) query: RelationsQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit, query.of, query));
  }

  /** Blocks a server, or ends that. */
  @Post()
  @SignedIn()
  change(@Input(ServerFormBody) { op, domain }: ServerFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      await this.domains[op](session.accountId, domain);
      return `${pathOf('follows')}?of=servers`;
    };
    const retry = (alarm: string) => this.page(visit, 'servers', new PageQuery(), { alarm }, domain);
    return this.pages.submit(visit, act, retry);
  }

  private async page(visit: Visit, of: Relation, query: PageQuery, said?: Said, typed?: string): Promise<PageContent> {
    const shown = of === 'servers' ? await this.servers(visit, query) : await this.accounts(visit, of, query);
    return relationsPage(visit.t, visit.session, shown, said, typed);
  }

  private async servers({ session }: Visit, query: PageQuery): Promise<ShownRelations> {
    const { items: servers, cursors } = await this.domains.list(session.accountId, query);
    return { of: 'servers', people: [], servers, next: servers.length < query.limit ? undefined : cursors?.last };
  }

  private async accounts({ t, session }: Visit, of: 'mutes' | 'blocks', query: PageQuery): Promise<ShownRelations> {
    const { accountId: viewerId } = session;
    const page = of === 'mutes' ? await this.muted(viewerId, query) : await this.blocked(viewerId, query);
    const people = this.people.listed(t, page.items).map((listed) => ({
      ...listed,
      note: listed.endsAt ? t.text('people.until', { time: t.moment(listed.endsAt) }) : undefined,
    }));
    return { of, people, servers: [], next: people.length < query.limit ? undefined : page.cursors?.last };
  }

  private async muted(viewerId: string, query: PageQuery) {
    const page = await this.related.muted(viewerId, query);
    return this.view.page(page, { viewerId }, ({ muteExpiresAt }) => ({ mute_expires_at: muteExpiresAt }));
  }

  private async blocked(viewerId: string, query: PageQuery) {
    const page = await this.related.blocked(viewerId, query);
    return this.view.page(page, { viewerId }, ({ blockExpiresAt }) => ({ block_expires_at: blockExpiresAt }));
  }
}
