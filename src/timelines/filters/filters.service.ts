import { Injectable } from '@nestjs/common';
import { FilterVersionRepository } from '../../accounts/index.js';
import {
  codePointLength,
  Invalid,
  isBlank,
  NotFound,
  phrase,
  translateForeignKeyViolation,
  Unprocessable,
} from '../../common/index.js';
import { Events, isBigintId, UnitOfWork } from '../../platform/index.js';
import { type FilterAction, type FilterPlace, StatusesService } from '../../statuses/index.js';
import {
  FilterRepository,
  type FilterRow,
  type FilterStatusRow,
  type KeywordRow,
  type NewKeyword,
} from './filter.repository.js';
import { FiltersChanged } from './filters.events.js';
import { fold } from './keyword-search.js';

/** Limits of one account. One search finds all words at once, so more words cost memory but no time. */
const MOST = { filters: 100, keywords: 500, characters: 20_000, statuses: 500 };
type Totals = Readonly<typeof MOST>;

/** A word to add, change or remove; `id` names an existing word. */
export interface KeywordChange {
  readonly id?: string | undefined;
  readonly keyword?: string | undefined;
  readonly wholeWord?: boolean | undefined;
  readonly isRemoved: boolean;
}

export interface NewFilterOptions {
  readonly title: string;
  readonly contexts: readonly FilterPlace[];
  readonly action: FilterAction;
  /** In seconds; null means never. */
  readonly expiresIn: number | null;
  readonly keywords: readonly KeywordChange[];
}

/** Undefined fields stay unchanged. */
export type FilterChanges = {
  readonly [K in Exclude<keyof NewFilterOptions, 'keywords'>]?: NewFilterOptions[K] | undefined;
} & {
  readonly keywords: readonly KeywordChange[];
};

/** A filter of API v1. */
export interface FilterV1Options {
  readonly phrase: string;
  readonly contexts: readonly FilterPlace[];
  readonly irreversible?: boolean | undefined;
  readonly wholeWord?: boolean | undefined;
  /** In seconds; null means never. */
  readonly expiresIn?: number | null | undefined;
}

/** Omitted options stay unchanged. */
export type FilterV1Changes = { readonly [K in keyof FilterV1Options]?: FilterV1Options[K] | undefined };

/** A word with its filter, as API v1 shows it. */
export interface FilterV1 {
  readonly filter: FilterRow;
  readonly keyword: KeywordRow;
}

/**
 * Manages filters (reference Filter). API v1 shows the same filters, each word as a filter of its own. Every write
 * first raises the version of the account's filters: this serializes the writes and invalidates cached filters.
 */
@Injectable()
export class FiltersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly versions: FilterVersionRepository,
    private readonly repository: FilterRepository,
    private readonly statuses: StatusesService,
  ) {}

  /** The account's filters, the oldest first. */
  of(accountId: string): Promise<FilterRow[]> {
    return this.repository.ofAccount(accountId);
  }

  /** @throws NotFound unless the account owns the filter */
  async one(accountId: string, id: string): Promise<FilterRow> {
    return found((await this.of(accountId)).find((filter) => filter.id === id));
  }

  /** @throws NotFound unless the account owns the word's filter */
  async keyword(accountId: string, id: string): Promise<KeywordRow> {
    return (await this.older(accountId, id)).keyword;
  }

  /** @throws NotFound unless the account owns the entry's filter */
  async status(accountId: string, id: string): Promise<FilterStatusRow> {
    const entries = (await this.of(accountId)).flatMap(({ statuses }) => statuses);
    return found(entries.find((entry) => entry.id === id));
  }

  /** The account's filters as API v1 shows them. */
  async olderOf(accountId: string): Promise<FilterV1[]> {
    return (await this.of(accountId)).flatMap((filter) => filter.keywords.map((keyword) => ({ filter, keyword })));
  }

  /** @throws NotFound unless the account owns the word's filter */
  async older(accountId: string, id: string): Promise<FilterV1> {
    return found((await this.olderOf(accountId)).find(({ keyword }) => keyword.id === id));
  }

  /**
   * Returns the id of the filter.
   * @throws Unprocessable for a blank word, and beyond the limits of an account
   */
  create(accountId: string, { title, contexts, action, expiresIn, keywords }: NewFilterOptions): Promise<string> {
    return this.grow(accountId, async () => {
      const id = await this.repository.insert(accountId, { title, contexts, action, expiresAt: endOf(expiresIn) });
      for (const change of keywords) await this.addNew(accountId, id, change);
      return id;
    });
  }

  /** @throws NotFound unless the account owns the filter and the words, Unprocessable as {@link create} */
  update(
    accountId: string,
    id: string,
    { title, contexts, action, expiresIn, keywords }: FilterChanges,
  ): Promise<void> {
    if (title !== undefined && isBlank(title)) throw new Unprocessable('title must not be empty');
    const expiresAt = expiresIn === undefined ? undefined : endOf(expiresIn);
    return this.grow(accountId, async () => {
      const isThere =
        isBigintId(id) && (await this.repository.update(accountId, id, { title, contexts, action, expiresAt }));
      if (!isThere) throw new NotFound();
      for (const change of keywords) await this.apply(accountId, id, change);
    });
  }

  /** @throws NotFound unless the account owns the filter */
  remove(accountId: string, id: string): Promise<void> {
    return this.write(accountId, async () => {
      if (!isBigintId(id) || !(await this.repository.remove(accountId, id))) throw new NotFound();
    });
  }

  /**
   * Returns the id of the word.
   * @throws NotFound unless the account owns the filter, Unprocessable as {@link create}
   */
  addKeyword(accountId: string, filterId: string, keyword: NewKeyword): Promise<string> {
    return this.grow(accountId, () => this.add(accountId, filterId, keyword));
  }

  /** @throws NotFound unless the account owns the word's filter, Unprocessable as {@link create} */
  updateKeyword(
    accountId: string,
    id: string,
    { keyword, wholeWord }: Omit<KeywordChange, 'isRemoved'>,
  ): Promise<void> {
    return this.grow(accountId, async () => {
      const change = { keyword: keyword === undefined ? undefined : trimmed(keyword), wholeWord };
      found(isBigintId(id) ? await this.repository.updateKeyword(accountId, id, change) : undefined);
    });
  }

  /** @throws NotFound unless the account owns the word's filter */
  removeKeyword(accountId: string, id: string): Promise<void> {
    return this.write(accountId, async () => {
      found(isBigintId(id) ? await this.repository.removeKeyword(accountId, id) : undefined);
    });
  }

  /**
   * Adds a post to a filter; for a boost, the boosted post. Returns the id of the entry.
   * @throws NotFound unless the account owns the filter and may see the status, Unprocessable when the filter has the
   * post
   */
  async addStatus(accountId: string, filterId: string, statusId: string): Promise<string> {
    await this.one(accountId, filterId);
    const status = await this.statuses.visible(statusId, accountId);
    const unit = this.grow(accountId, async () => {
      const id = await this.repository.insertStatus(accountId, filterId, status.id);
      if (id === undefined) throw new Unprocessable('The filter has this status already');
      return id;
    });
    return translateForeignKeyViolation(unit);
  }

  /** @throws NotFound unless the account owns the entry's filter */
  removeStatus(accountId: string, id: string): Promise<void> {
    return this.write(accountId, async () => {
      if (!isBigintId(id) || !(await this.repository.removeStatus(accountId, id))) throw new NotFound();
    });
  }

  /**
   * Creates a filter with one word, which is also its title. Returns the id of the word.
   * @throws Unprocessable as {@link create}
   */
  createOlder(accountId: string, options: FilterV1Options): Promise<string> {
    const { phrase, contexts, irreversible = false, wholeWord = true, expiresIn = null } = options;
    const title = trimmed(phrase);
    const action = olderAction(irreversible);
    return this.grow(accountId, async () => {
      const id = await this.repository.insert(accountId, { title, contexts, action, expiresAt: endOf(expiresIn) });
      return this.add(accountId, id, { keyword: title, wholeWord });
    });
  }

  /**
   * Changes a word and its filter; omitted options stay.
   * @throws NotFound unless the account owns the word; Unprocessable as {@link create}, and when other words would
   * change
   */
  updateOlder(accountId: string, id: string, options: FilterV1Changes): Promise<void> {
    const { phrase, contexts, irreversible, wholeWord, expiresIn } = options;
    return this.grow(accountId, async () => {
      const { filter } = await this.older(accountId, id);
      const action = changesAction(filter, irreversible) ? olderAction(irreversible) : filter.action;
      const isFilterChanged = changesFilter(filter, options);
      if (isFilterChanged && filter.keywords.length > 1) throw new Unprocessable(SEVERAL_WORDS);
      const expiresAt = expiresIn === undefined ? undefined : endOf(expiresIn);
      await this.repository.updateKeyword(accountId, id, {
        keyword: phrase === undefined ? undefined : trimmed(phrase),
        wholeWord,
      });
      if (isFilterChanged) await this.repository.update(accountId, filter.id, { contexts, action, expiresAt });
    });
  }

  /**
   * Removes a word, and its filter when that is empty then.
   * @throws NotFound unless the account owns the word
   */
  removeOlder(accountId: string, id: string): Promise<void> {
    return this.write(accountId, async () => {
      const filterId = found(isBigintId(id) ? await this.repository.removeKeyword(accountId, id) : undefined);
      await this.repository.removeEmpty(accountId, filterId);
    });
  }

  private async apply(accountId: string, filterId: string, change: KeywordChange): Promise<void> {
    const { id, keyword, wholeWord, isRemoved } = change;
    if (id === undefined) return this.addNew(accountId, filterId, change);
    if (!isBigintId(id)) throw new NotFound();
    if (isRemoved) {
      found(await this.repository.removeKeyword(accountId, id, filterId));
      return;
    }
    const values = { keyword: keyword === undefined ? undefined : trimmed(keyword), wholeWord };
    found(await this.repository.updateKeyword(accountId, id, values, filterId));
  }

  /** Ignores a new word that is also marked for removal. */
  private async addNew(accountId: string, filterId: string, change: KeywordChange): Promise<void> {
    if (!change.isRemoved) await this.add(accountId, filterId, newKeyword(change));
  }

  private async add(accountId: string, filterId: string, { keyword, wholeWord }: NewKeyword): Promise<string> {
    const values = { keyword: trimmed(keyword), wholeWord };
    return found(isBigintId(filterId) ? await this.repository.insertKeyword(accountId, filterId, values) : undefined);
  }

  /** Writes to the account's filters, one write at a time. */
  private write<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return this.uow.run(async () => {
      await this.versions.raise(accountId);
      this.events.emit(new FiltersChanged(accountId));
      return work();
    });
  }

  /** Writes to the account's filters; rolls back above the limits. */
  private grow<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return this.write(accountId, async () => {
      const result = await work();
      const totals = totalsOf(await this.of(accountId));
      const over = (Object.keys(MOST) as (keyof Totals)[]).find((part) => totals[part] > MOST[part]);
      if (over)
        throw new Unprocessable(
          phrase('Filters may have at most {max} {parts}', { max: MOST[over], parts: phrase(over) }),
        );
      return result;
    });
  }
}

const SEVERAL_WORDS = 'The filter has several keywords, which would change with this one: use a newer app';

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new NotFound();
  return thing;
}

function totalsOf(filters: readonly FilterRow[]): Totals {
  const words = filters.flatMap(({ keywords }) => keywords.map(({ keyword }) => keyword));
  return {
    filters: filters.length,
    keywords: words.length,
    characters: charactersOf(words),
    statuses: filters.reduce((sum, { statuses }) => sum + statuses.length, 0),
  };
}

/** Counts characters after folding, which may turn one character into eighteen: the search stores the folded form. */
function charactersOf(words: readonly string[]): number {
  const typed = words.reduce((sum, word) => sum + codePointLength(word), 0);
  if (typed > MOST.characters) return typed;
  return words.reduce((sum, word) => sum + Math.max(codePointLength(word), fold(word).length), 0);
}

function newKeyword({ keyword, wholeWord = true }: KeywordChange): NewKeyword {
  if (keyword === undefined) throw new Invalid('keyword is missing');
  return { keyword, wholeWord };
}

/** The action that the older form of filters knows by a flag. */
function olderAction(irreversible: boolean | undefined): 'hide' | 'warn' {
  return irreversible ? 'hide' : 'warn';
}

/** Whether the older form, which knows only `hide` and others, asks for another action. */
function changesAction({ action }: FilterRow, irreversible: boolean | undefined): boolean {
  return irreversible !== undefined && irreversible !== (action === 'hide');
}

/** Whether changes of a word in the older form also change its filter. */
function changesFilter(filter: FilterRow, { contexts, irreversible, expiresIn }: FilterV1Changes): boolean {
  return (
    changesAction(filter, irreversible) ||
    expiresIn !== undefined ||
    (contexts !== undefined && [...contexts].sort().join() !== [...filter.contexts].sort().join())
  );
}

/** @throws Unprocessable for a blank keyword, which would match every text */
function trimmed(keyword: string): string {
  if (isBlank(keyword)) throw new Unprocessable('keyword must not be empty');
  return keyword.trim();
}

function endOf(expiresIn: number | null): Date | null {
  return expiresIn === null ? null : new Date(Date.now() + expiresIn * 1_000);
}
