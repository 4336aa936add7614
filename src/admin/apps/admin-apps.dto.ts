import { BooleanLike, EmptyToNull, OptionalText, PageNumber, TextList } from '../../common/index.js';
import type { AppChanges } from '../../oauth/index.js';

const MAX_NAME = 255;

export class AdminAppsQuery {
  /** A part of the name. */
  @OptionalText({ max: MAX_NAME }) name?: string;
  @OptionalText({ max: MAX_NAME }) client_id?: string;
  @BooleanLike() trusted?: boolean;
  @PageNumber() page = 1;
  @PageNumber({ max: 100 }) page_size = 50;
}

export class AdminAppBody {
  @OptionalText({ max: MAX_NAME }) name?: string;
  @TextList({ max: 50, maxLength: 10_000 }) redirect_uris?: string[];
  @TextList({ max: 100, maxLength: 4096 }) scopes?: string[];
  @EmptyToNull({ max: 2000 }) website?: string | null;
  @BooleanLike() trusted?: boolean;

  get changes(): AppChanges {
    const { name, redirect_uris: redirectUris, scopes, website, trusted } = this;
    return { name, redirectUris, scopes, website, trusted };
  }
}
