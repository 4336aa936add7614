import { Inject, Injectable } from '@nestjs/common';
import type { Html, Json, PageQuery, Translator } from '../../../common/index.js';
import { MediaUrls } from '../../../media/index.js';
import { Brand, ENV, type Env } from '../../../platform/index.js';
import { type PageRow, type StatusContext, type StatusJson, StatusView } from '../../../statuses/index.js';
import { type ShownContext, type ShownStatus, shownStatus } from '../../parts/shown.js';
import { postsPart, statusPart } from '../../parts/status.part.js';
import { objectOf } from '../../parts/rendered.js';
import { IN_APP } from './status-actions.part.js';

/** The entries of a page of a list. */
export interface ListedEntries {
  readonly entries: readonly Json[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * Shows posts to a signed-in person, exactly those that the API shows, with the state that it tells. The parts of
 * entries that are in memory are rendered once for each language, as bytes: they hold no token and no address of a page.
 */
@Injectable()
export class AppStatuses {
  private readonly parts = new WeakMap<Json, Map<string, Html>>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly files: MediaUrls,
    private readonly view: StatusView,
  ) {}

  /** A page of a list, with the link to the next one. Its cursors are the ids of the entries, if `cursorOf` is not given. */
  async list<Row extends PageRow>(
    t: Translator,
    rows: readonly Row[],
    query: PageQuery,
    context: StatusContext,
    cursorOf?: (row: Row) => string,
  ): Promise<Html> {
    const { entries, next } = await this.page(rows, query, context, cursorOf);
    const parts = entries.map((entry) => this.part(t, entry));
    return postsPart(t, parts, next);
  }

  /** The entries of a page of a list, for pages that add something to them; see {@link list}. */
  async page<Row extends PageRow>(
    rows: readonly Row[],
    query: PageQuery,
    context: StatusContext,
    cursorOf: (row: Row) => string = ({ feedId }) => feedId,
  ): Promise<ListedEntries> {
    const { items, cursors } = await this.view.page(rows, query, context, cursorOf);
    const last = rows.at(-1);
    const isWhole = last === undefined || cursors?.last === cursorOf(last);
    return { entries: items, next: rows.length < query.limit && isWhole ? undefined : cursors?.last };
  }

  /** An entry as the parts of pages know it. */
  shown(entry: Json): ShownStatus {
    return shownStatus(objectOf<StatusJson>(entry), this.context);
  }

  /** The parts of entries, with the buttons of lists. */
  part(t: Translator, entry: Json): Html {
    const byLocale = this.parts.get(entry) ?? new Map<string, Html>();
    const part = byLocale.get(t.locale) ?? statusPart(t, this.shown(entry), IN_APP, { isFolded: true }).packed();
    byLocale.set(t.locale, part);
    this.parts.set(entry, byLocale);
    return part;
  }

  get context(): ShownContext {
    return { brand: this.brand.word, baseUrl: this.env.baseUrl, isTrusted: (url) => this.files.isTrusted(url) };
  }
}
