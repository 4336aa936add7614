import { type Static, Type } from 'typebox';
import { Nullable } from '../../common/index.js';
import { DEFAULT_SCOPES, QUOTE_POLICIES } from '../model/account.shape.js';

/** A user's defaults for posting and reading (reference Preferences). */
export const PreferencesShape = Type.Object(
  {
    'posting:default:visibility': Type.Enum([...DEFAULT_SCOPES]),
    'posting:default:quote_policy': Type.Enum([...QUOTE_POLICIES]),
    'posting:default:sensitive': Type.Boolean(),
    'posting:default:language': Nullable(Type.String()),
    'reading:expand:media': Type.Enum(['default', 'show_all', 'hide_all']),
    'reading:expand:spoilers': Type.Boolean(),
  },
  { additionalProperties: false, title: 'Preferences' },
);

export type PreferencesJson = Static<typeof PreferencesShape>;
