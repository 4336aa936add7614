import { type Static, Type } from 'typebox';
import { Described, Nullable } from '../../common/index.js';
import { DEFAULT_SCOPES, QUOTE_POLICIES } from '../model/account.shape.js';

/** A user's defaults for posting and reading (reference Preferences). */
export const PreferencesShape = Type.Object(
  {
    'posting:default:visibility': Described(Type.Enum([...DEFAULT_SCOPES]), 'The visibility of new posts.'),
    'posting:default:quote_policy': Described(Type.Enum([...QUOTE_POLICIES]), 'Who may quote new posts.'),
    'posting:default:sensitive': Described(Type.Boolean(), 'Whether media of new posts are sensitive.'),
    'posting:default:language': Described(Nullable(Type.String()), 'The language of new posts; null for none.'),
    'reading:expand:media': Described(
      Type.Enum(['default', 'show_all', 'hide_all']),
      'Which media are shown at once: always `default`, those that are not sensitive.',
    ),
    'reading:expand:spoilers': Described(
      Type.Boolean(),
      'Whether texts behind content warnings are shown at once: always false.',
    ),
  },
  { additionalProperties: false, title: 'Preferences' },
);

export type PreferencesJson = Static<typeof PreferencesShape>;
