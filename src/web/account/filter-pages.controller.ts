import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  Input,
  isBlank,
  NestedList,
  OneOf,
  OptionalText,
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
import { SentFormBody } from '../frame/sent-form.dto.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
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

class FilterFormBody extends SentFormBody {
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
  all(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, async ({ t, session }) =>
      filtersPage(t, (await this.filters.of(session.accountId)).map(filterView)),
    );
  }

  @Post()
  @SignedIn()
  create(
    @Input(FilterFormBody) form: FilterFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const act = async ({ session }: Visit) => {
      await this.filters.create(session.accountId, Object.assign(new NewFilterBody(), form.fields()).options());
      return pathOf('filters');
    };
    const retry = ({ t, session }: Visit, alarm: string) =>
      Promise.resolve(filterPage(t, session, undefined, form.draft(NEW_FILTER), { alarm }));
    return this.pages.submit(request, response, form._csrf, act, retry);
  }

  @Get('new')
  @SignedIn()
  write(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, ({ t, session }) =>
      Promise.resolve(filterPage(t, session, undefined, NEW_FILTER)),
    );
  }

  @Get(':id')
  @SignedIn()
  show(@Param('id') id: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, async (visit) =>
      filterPage(visit.t, visit.session, id, await this.stored(visit, id)),
    );
  }

  @Post(':id')
  @SignedIn()
  update(
    @Param('id') id: string,
    @Input(FilterFormBody) form: FilterFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const act = async ({ session }: Visit) => {
      await this.filters.update(session.accountId, id, Object.assign(new FilterChangesBody(), form.fields()).changes());
      return pathOf('filters');
    };
    const retry = async (visit: Visit, alarm: string) =>
      filterPage(visit.t, visit.session, id, form.draft(await this.stored(visit, id)), { alarm });
    return this.pages.submit(request, response, form._csrf, act, retry);
  }

  @Post(':id/delete')
  @SignedIn()
  delete(
    @Param('id') id: string,
    @Input(SentFormBody) form: SentFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, form, ({ session }) => this.filters.remove(session.accountId, id));
  }

  private async stored({ session }: Visit, id: string): Promise<FilterDraft> {
    return storedFilter(filterView(await this.filters.one(session.accountId, id)));
  }
}
