import { Get, Param, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  PageQuery,
  Scopes,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { TagView } from './tag.view.js';
import { TagsService } from './tags.service.js';
import { tagName } from './tag.entities.js';
import { TagShape } from './tag.shape.js';

/** `/api/v1/tags` (reference Tag): a tag by its name, with or without a `#`. */
@ClientApi('v1', 'tags')
export class TagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly view: TagView,
  ) {}

  @Summary('Shows a hashtag, with its use in the last days.')
  @Get(':id')
  @OptionalAuth('read')
  @Answers(TagShape)
  async show(@Param('id') name: string, @ViewerId() viewerId?: string): Promise<Json> {
    return this.view.one(await this.tags.shown(tagName(name), viewerId), viewerId);
  }

  @Summary('Follows a hashtag: its public posts appear on the home timeline.')
  @Post(':id/follow')
  @Scopes('write:follows')
  @Answers(TagShape)
  async follow(@Param('id') name: string, @CurrentAccount() me: string): Promise<Json> {
    return this.view.one(await this.tags.follow(me, tagName(name)), me);
  }

  @Summary('Unfollows a hashtag.')
  @Post(':id/unfollow')
  @Scopes('write:follows')
  @Answers(TagShape)
  async unfollow(@Param('id') name: string, @CurrentAccount() me: string): Promise<Json> {
    return this.view.one(await this.tags.unfollow(me, tagName(name)), me);
  }
}

/** `/api/v1/followed_tags`: the tags whose public posts appear on the caller's home timeline. */
@ClientApi('v1', 'followed_tags')
export class FollowedTagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly view: TagView,
  ) {}

  @Summary('Lists the hashtags that the caller follows, the latest first.')
  @Get()
  @Scopes('read:follows')
  @Answers([TagShape])
  async list(@CurrentAccount() me: string, @Input(PageQuery) query: PageQuery): Promise<Page<Json>> {
    const page = await this.tags.followedBy(me, query);
    return page.with(await this.view.many(page.items, me));
  }
}
