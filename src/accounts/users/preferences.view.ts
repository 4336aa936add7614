import type { PreferencesJson } from './preferences.shape.js';
import type { PostingDefaultsRow } from './user.repository.js';

/** Preferences as JSON. How things are unfolded is for frontends to keep, so that here it is always the usual way. */
export function preferences({ scope, sensitive, language }: PostingDefaultsRow): PreferencesJson {
  return {
    'posting:default:visibility': scope,
    'posting:default:sensitive': sensitive,
    'posting:default:language': language,
    'reading:expand:media': 'default',
    'reading:expand:spoilers': false,
  };
}
