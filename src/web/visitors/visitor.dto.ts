import { OneOf, OptionalId } from '../../common/index.js';

/** The lists on the page of an account. */
export const PROFILE_TABS = ['posts', 'replies', 'media'] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

/** Chooses a page of a list. */
export class VisitorQuery {
  /** Entries before this one. */
  @OptionalId() max_id?: string;
}

/** Chooses posts of an account. */
export class ProfileQuery extends VisitorQuery {
  @OneOf(PROFILE_TABS) show?: ProfileTab;
}
