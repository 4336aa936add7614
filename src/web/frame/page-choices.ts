import { Injectable } from '@nestjs/common';
import { ListsService, SettingsStoreService } from '../../accounts/index.js';
import { Invalid } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { HOME_PATH } from './app-nav.js';

/** The name of the pages in the settings store, where each frontend has an object of its own. */
const STORE = 'pages';

/** The paths that people may begin with, by the names that are stored. */
export const START_PATHS = {
  home: HOME_PATH,
  notifications: '/app/notifications',
  local: '/app/local',
  federated: '/app/federated',
} as const;
export type StartName = keyof typeof START_PATHS;

/** What a person chose for the pages. */
export interface PageChoices {
  /** The page to begin with: a name of {@link START_PATHS}, or `list:<id>`. */
  readonly start: string;
  /** The format of new posts: a content type; empty for that of the server. */
  readonly format: string;
}

/** What people choose for the pages alone: stored where web frontends store their settings (spec §4.3). */
@Injectable()
export class PageChoicesService {
  constructor(
    private readonly store: SettingsStoreService,
    private readonly lists: ListsService,
    private readonly settings: Settings,
  ) {}

  /** The choices of an account. Apps can write into the store too: the format is checked here, the page where its path is looked up. */
  async of(accountId: string): Promise<PageChoices> {
    const { start, format } = await this.store.of(accountId, STORE);
    return {
      start: typeof start === 'string' ? start : 'home',
      format: typeof format === 'string' && this.formats.includes(format) ? format : '',
    };
  }

  /** @throws Invalid for a page or a format that there is not */
  async requireValid(accountId: string, { start, format }: Partial<PageChoices>): Promise<void> {
    if (start !== undefined && (await this.pathOf(accountId, start)) === undefined)
      throw new Invalid('There is no such page to begin with');
    if (format && !this.formats.includes(format)) throw new Invalid('There is no such format');
  }

  /** Stores checked choices; absent ones stay. */
  async change(accountId: string, choices: Partial<PageChoices>): Promise<void> {
    await this.store.merge(accountId, STORE, choices);
  }

  /** The path of the page that the account begins with: the home page where its choice has gone. */
  async startPath(accountId: string): Promise<string> {
    const { start } = await this.of(accountId);
    return (await this.pathOf(accountId, start)) ?? HOME_PATH;
  }

  /** The format that the account writes in. */
  async formatOf(accountId: string): Promise<string> {
    return (await this.of(accountId)).format || (this.formats[0] ?? '');
  }

  private async pathOf(accountId: string, start: string): Promise<string | undefined> {
    const listId = /^list:(.+)$/.exec(start)?.[1];
    if (listId === undefined) return Object.hasOwn(START_PATHS, start) ? START_PATHS[start as StartName] : undefined;
    return (await this.lists.find(accountId, listId)) && `/app/lists/${listId}`;
  }

  private get formats(): readonly string[] {
    return this.settings.get('instance.allowed_post_formats');
  }
}
