import {
  BooleanLike,
  Describe,
  EmptyToNull,
  OptionalText,
  PageNumber,
  PageSize,
  TextList,
} from '../../common/index.js';
import type { AppChanges } from '../../oauth/index.js';

const MAX_NAME = 255;

export class AdminAppsQuery {
  @Describe('A part of the name.')
  @OptionalText({ max: MAX_NAME })
  name?: string;
  @Describe('The id of the app, from its registration.')
  @OptionalText({ max: MAX_NAME })
  client_id?: string;
  @Describe('Whether to list only trusted apps, or only others.')
  @BooleanLike()
  trusted?: boolean;
  @PageNumber()
  page = 1;
  @PageSize({ max: 100 })
  page_size = 50;
}

export class AdminAppBody {
  @Describe('The name of the app.')
  @OptionalText({ max: MAX_NAME })
  name?: string;
  @Describe('The addresses to which codes may be sent.')
  @TextList({ max: 50, maxLength: 10_000 })
  redirect_uris?: string[];
  @Describe('The scopes, as a list or separated by spaces.')
  @TextList({ max: 100, maxLength: 4096 })
  scopes?: string[];
  @Describe("The address of the app's own page.")
  @EmptyToNull({ max: 2000 })
  website?: string | null;
  @Describe('Whether the app is one of the operator.')
  @BooleanLike()
  trusted?: boolean;

  get changes(): AppChanges {
    const { name, redirect_uris: redirectUris, scopes, website, trusted } = this;
    return { name, redirectUris, scopes, website, trusted };
  }
}
