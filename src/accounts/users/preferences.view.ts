import type { PreferencesJson } from './preferences.shape.js';
import type { PostingDefaultsRow } from './user.repository.js';

/** Preferences as JSON. Frontends store how posts unfold, so these values are always the defaults. */
export function preferences(defaults: PostingDefaultsRow): PreferencesJson {
  const { scope, quotePolicy, sensitive, language } = defaults;
  return {
    'posting:default:visibility': scope,
    'posting:default:quote_policy': quotePolicy,
    'posting:default:sensitive': sensitive,
    'posting:default:language': language,
    'reading:expand:media': 'default',
    'reading:expand:spoilers': false,
  };
}
