import {
  BooleanLike,
  Describe,
  OneOf,
  OptionalText,
  PageQuery,
  RequiredText,
  TextList,
  unique,
  WithMuted,
} from '../../common/index.js';
import { Replies, Visibility, type VisibilityName } from '../../statuses/index.js';
import { tagName } from '../tags/tag.entities.js';
import type { TimelineFilter } from './status-filters.sql.js';
import type { AccountFilter, TagChoice } from './timelines.repository.js';

const HOST_LENGTH = 255;
const TAG_LENGTH = 255;
const URL_LENGTH = 2_048;
/** Maximum number of further tags in each list. */
const MAX_TAGS = 10;

/** Query of every timeline (spec §4.3). */
export class TimelineQuery extends PageQuery {
  @WithMuted()
  with_muted?: boolean;

  @Describe('Visibilities of posts to leave out.')
  @TextList({ max: 10 })
  exclude_visibilities?: string[];

  @Describe('Whether to list only posts with media.')
  @BooleanLike()
  only_media?: boolean;

  @Describe('Whether to list only posts of this server.')
  @BooleanLike()
  local?: boolean;

  @Describe('Whether to list only posts of other servers.')
  @BooleanLike()
  remote?: boolean;

  @Describe('Which replies to keep: those to accounts the caller follows, or only those to the caller.')
  @OneOf(['following', 'self'])
  reply_visibility?: 'following' | 'self';

  /** The filter for the page statements. `local` and `remote` together filter nothing, and neither does false. */
  filter(): TimelineFilter {
    const [local, remote] = [this.local ?? false, this.remote ?? false];
    return {
      withMuted: this.with_muted ?? false,
      excludeVisibilities: knownVisibilities(this.exclude_visibilities),
      replies: Replies[this.reply_visibility ?? 'all'],
      onlyMedia: this.only_media ?? false,
      local: local === remote ? null : local,
    };
  }
}

/** Query of the public timeline. */
export class PublicTimelineQuery extends TimelineQuery {
  @Describe('The domain of the only server whose posts are listed.')
  @OptionalText({ max: HOST_LENGTH })
  instance?: string;
}

/** Query of the timeline of a tag: further tags, with or without a `#`. */
export class TagTimelineQuery extends TimelineQuery {
  @Describe('Further hashtags: one of them is enough.')
  @TextList({ max: MAX_TAGS, maxLength: TAG_LENGTH })
  any?: string[];

  @Describe('Hashtags that the posts must have as well.')
  @TextList({ max: MAX_TAGS, maxLength: TAG_LENGTH })
  all?: string[];

  @Describe('Hashtags that the posts must not have.')
  @TextList({ max: MAX_TAGS, maxLength: TAG_LENGTH })
  none?: string[];

  choice(name: string): TagChoice {
    return { any: tagNames([name, ...(this.any ?? [])]), all: tagNames(this.all), none: tagNames(this.none) };
  }
}

/** Query of the timeline of a link. */
export class LinkTimelineQuery extends TimelineQuery {
  @Describe('The address of the page.')
  @RequiredText({ max: URL_LENGTH })
  url: string;
}

/** Query of the posts of one account. */
export class AccountStatusesQuery extends PageQuery {
  @Describe('Whether to list only pinned posts.')
  @BooleanLike()
  pinned?: boolean;

  @Describe('The only hashtag.')
  @OptionalText({ max: TAG_LENGTH })
  tagged?: string;

  @Describe('Whether to list only posts with media.')
  @BooleanLike()
  only_media?: boolean;

  @WithMuted()
  with_muted?: boolean;

  @Describe('Whether to leave out reblogs.')
  @BooleanLike()
  exclude_reblogs?: boolean;

  @Describe('Whether to list only reblogs.')
  @BooleanLike()
  only_reblogs?: boolean;

  @Describe('Whether to leave out replies to others.')
  @BooleanLike()
  exclude_replies?: boolean;

  @Describe('Visibilities of posts to leave out.')
  @TextList({ max: 10 })
  exclude_visibilities?: string[];

  filter(): AccountFilter {
    return {
      withMuted: this.with_muted ?? false,
      excludeVisibilities: knownVisibilities(this.exclude_visibilities),
      onlyMedia: this.only_media ?? false,
      reblogs: this.only_reblogs ? 'only' : this.exclude_reblogs ? 'none' : 'all',
      excludeReplies: this.exclude_replies ?? false,
      tagged: this.tagged ? tagName(this.tagged) : null,
    };
  }
}

function tagNames(texts: readonly string[] = []): string[] {
  return unique(texts.map(tagName));
}

/** Drops unknown names, which apps for newer servers may send. */
function knownVisibilities(names: readonly string[] = []): VisibilityName[] {
  return names.filter((name): name is VisibilityName => Object.hasOwn(Visibility, name));
}
