import { Get, Param, Post } from '@nestjs/common';
import {
  Input,
  isBlank,
  NestedList,
  OneOf,
  OptionalText,
  type PageAnswer,
  RootApi,
  SignedIn,
  TextList,
  Unprocessable,
} from '../../common/index.js';
import { FILTER_ACTIONS, type FilterAction } from '../../statuses/index.js';
import {
  FilterChangesBody,
  FiltersService,
  filterView,
  KeywordAttributesBody,
  NewFilterBody,
} from '../../timelines/index.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';
import { TERMS } from '../parts/choices.part.js';
import { pathOf } from './account.pages.js';
import {
  FILTER_TITLE_LENGTH,
  type FilterDraft,
  filterPage,
  filtersPage,
  NEW_FILTER,
  storedFilter,
} from './filters.page.js';

const KEYWORDS = 1_000;
const PLACES = 20;
const PLACE_LENGTH = 50;

class FilterFormBody {
  @OptionalText({ max: FILTER_TITLE_LENGTH }) title = '';
  @TextList({ max: PLACES, maxLength: PLACE_LENGTH }) context: string[] = [];
  @OneOf(FILTER_ACTIONS) filter_action: FilterAction = 'warn';
  /** Seconds from now, or `keep` for the present end. */
  @OneOf(['keep', ...TERMS.map(String)]) term = 'keep';
  @NestedList(() => KeywordAttributesBody, { max: KEYWORDS }) keywords_attributes: KeywordAttributesBody[] = [];

  /** The form over the stored filter, or over a new one. */
  draft(over: FilterDraft): FilterDraft {
    const { title, context, filter_action: action, term } = this;
    const words = this.keywords_attributes.filter(({ id, keyword = '' }) => id !== undefined || !isBlank(keyword));
    return {
      ...over,
      ...{ title, context, action, term },
      words: words.map(({ id, keyword = '', whole_word: wholeWord = true }) => ({ id, keyword, wholeWord })),
    };
  }

  /**
   * The fields of the API: an empty row removes its word.
   * @throws Unprocessable for a blank title
   */
  fields() {
    const { title, context, filter_action, term } = this;
    if (isBlank(title)) throw new Unprocessable('title must not be empty');
    for (const word of this.keywords_attributes) word._destroy = isBlank(word.keyword ?? '');
    const expires_in = term === 'keep' ? undefined : Number(term) || null;
    return { title, context, filter_action, expires_in, keywords_attributes: this.keywords_attributes };
  }
}

/** The pages on which people filter what they read. */
@RootApi('auth/account/filters')
export class FilterPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly filters: FiltersService,
  ) {}

  @Get()
  @SignedIn()
  all(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session }) =>
      filtersPage(t, (await this.filters.of(session.accountId)).map(filterView)),
    );
  }

  @Post()
  @SignedIn()
  create(@Input(FilterFormBody) form: FilterFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      await this.filters.create(session.accountId, Object.assign(new NewFilterBody(), form.fields()).options());
      return pathOf('filters');
    };
    const retry = (alarm: string, { t, session }: Visit) =>
      filterPage(t, session, undefined, form.draft(NEW_FILTER), { alarm });
    return this.pages.submit(visit, act, retry);
  }

  @Get('new')
  @SignedIn()
  write(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, ({ t, session }) => filterPage(t, session, undefined, NEW_FILTER));
  }

  @Get(':id')
  @SignedIn()
  show(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () => filterPage(visit.t, visit.session, id, await this.stored(visit, id)));
  }

  @Post(':id')
  @SignedIn()
  update(
    @Param('id') id: string,
    @Input(FilterFormBody) form: FilterFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      await this.filters.update(session.accountId, id, Object.assign(new FilterChangesBody(), form.fields()).changes());
      return pathOf('filters');
    };
    const retry = async (alarm: string) =>
      filterPage(visit.t, visit.session, id, form.draft(await this.stored(visit, id)), { alarm });
    return this.pages.submit(visit, act, retry);
  }

  @Post(':id/delete')
  @SignedIn()
  delete(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.filters.remove(session.accountId, id));
  }

  private async stored({ session }: Visit, id: string): Promise<FilterDraft> {
    return storedFilter(filterView(await this.filters.one(session.accountId, id)));
  }
}
