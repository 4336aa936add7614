import { Get, Post } from '@nestjs/common';
import { Type } from 'typebox';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  BooleanLike,
  CurrentAuth,
  Describe,
  Described,
  Input,
  Invalid,
  NothingShape,
  OptionalText,
  PageNumber,
  PageSize,
  phrase,
  Summary,
  TextList,
} from '../../common/index.js';
import { MediaBansService } from '../../media/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { ModerationAction } from '../log/moderation-log.messages.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

const MAX_URLS = 1_000;
const MAX_URL = 10_000;
const MAX_QUERY = 500;

class BannedMediaQuery {
  @PageNumber()
  page = 1;
  @PageSize({ max: 1_000 })
  page_size = 50;
  @Describe('A part of the address.')
  @OptionalText({ max: MAX_QUERY })
  query = '';
}

class BannedMediaBody {
  @Describe('The addresses of the files.')
  @TextList({ max: MAX_URLS, maxLength: MAX_URL })
  urls: readonly string[] = [];
}

class PurgedMediaBody extends BannedMediaBody {
  @Describe('Whether to ban the addresses as well.')
  @BooleanLike()
  ban = false;
}

const BannedMediaShape = Type.Object(
  {
    page_size: Described(Type.Integer(), 'The entries of a page.'),
    count: Described(Type.Integer(), 'The total number.'),
    urls: Described(Type.Array(Type.String()), 'The banned addresses of the page.'),
  },
  { additionalProperties: false, title: 'BannedMedia' },
);

/** `A/media_proxy_caches`: files of other servers that are banned here (spec §4.1.7). */
@AdminApi('media_proxy_caches')
export class MediaProxyCachesController {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly bans: MediaBansService,
    private readonly log: ModerationLogService,
  ) {}

  @Summary('Lists the banned addresses of remote files.')
  @Get()
  @AdminOnly('admin:read:media_proxy_caches')
  @Answers(BannedMediaShape)
  async list(@Input(BannedMediaQuery) { page, page_size, query }: BannedMediaQuery) {
    const { urls, count } = await this.bans.page(query, page_size, (page - 1) * page_size);
    return { page_size, count, urls: [...urls] };
  }

  @Summary('Lifts the ban of addresses of remote files.')
  @Post('delete')
  @AdminOnly('admin:write:media_proxy_caches')
  @Answers(NothingShape)
  unban(@CurrentAuth() actor: Auth, @Input(BannedMediaBody) { urls }: BannedMediaBody): Promise<object> {
    return this.logged(actor, 'media_proxy_unban', urls, () => this.bans.unban(urls));
  }

  @Summary('Removes remote files from the cache, and bans their addresses on request.')
  @Post('purge')
  @AdminOnly('admin:write:media_proxy_caches')
  @Answers(NothingShape)
  purge(@CurrentAuth() actor: Auth, @Input(PurgedMediaBody) { urls, ban }: PurgedMediaBody): Promise<object> {
    if (ban) return this.logged(actor, 'media_proxy_ban', urls, () => this.bans.ban(urls));
    return this.logged(actor, 'media_proxy_purge', urls, () => this.bans.purge(urls));
  }

  private async logged(actor: Auth, action: ModerationAction, urls: readonly string[], change: () => Promise<unknown>) {
    if (urls.length === 0) throw new Invalid(phrase('{field} is missing', { field: 'urls' }));
    const subjects = urls.map((url) => ({ type: 'file', id: url }));
    await this.uow.run(async () => {
      await change();
      await this.log.record(actor, action, subjects);
    });
    return {};
  }
}
