import { Get } from '@nestjs/common';
import { AccountView } from '../../../accounts/index.js';
import {
  Input,
  isBlank,
  OneOf,
  OptionalText,
  type PageAnswer,
  PageQuery,
  RateLimit,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { SEARCH_TYPES, SearchService, type SearchType } from '../../../search/index.js';
import { StatusView } from '../../../statuses/index.js';
import { type TagJson, TagView } from '../../../timelines/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { AppPeople } from '../people/app-people.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { searchPage } from './search.page.js';
import { objectOf } from '../../parts/rendered.js';

const MAX_QUERY_LENGTH = 2_048;
/** Of each kind, where all kinds are on one page. */
const FEW = 5;

class SearchPageQuery extends PageQuery {
  /** Words, a handle, a hashtag, or an address; empty shows the field alone. */
  @OptionalText({ max: MAX_QUERY_LENGTH }) q = '';
  @OneOf(SEARCH_TYPES) type?: SearchType;
}

/** The search for signed-in people, with the results of the API. Other servers are asked for addresses and handles. */
@RootApi('app/search')
export class SearchPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly service: SearchService,
    private readonly accounts: AccountView,
    private readonly statusView: StatusView,
    private readonly tagView: TagView,
    private readonly people: AppPeople,
    private readonly statuses: AppStatuses,
  ) {}

  @Get()
  @SignedIn()
  @RateLimit('search')
  search(
    @Input(SearchPageQuery) { q: typed, type, limit: asked, offset }: SearchPageQuery,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session: { accountId: viewerId } }) => {
      const q = typed.trim();
      if (isBlank(q)) return searchPage(t, viewerId, '');
      const limit = type === undefined ? FEW : asked;
      const found = await this.service.find({ q, type, limit, offset, following: false, resolve: true }, viewerId);
      const [people, posts, tags] = await Promise.all([
        this.accounts.list(found.accounts, { viewerId, withRelationships: true }),
        this.statusView.many(found.statuses, { viewerId }),
        this.tagView.many(found.tags, viewerId),
      ]);
      const next = (rows: readonly unknown[]) => (rows.length < limit ? undefined : offset + (type ? limit : 0));
      return searchPage(t, viewerId, q, {
        q,
        type,
        people: this.people.listed(t, people),
        tags: tags.map((tag) => objectOf<TagJson>(tag)),
        posts: posts.map((entry) => this.statuses.part(t, entry)),
        next: { accounts: next(found.accounts), statuses: next(found.statuses), hashtags: next(found.tags) },
      });
    });
  }
}
