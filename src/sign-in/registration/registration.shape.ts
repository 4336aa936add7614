import { Type } from 'typebox';
import { TokenShape } from '../../oauth/index.js';

/** A token, or the reason why the new account gets none yet (spec §4.3). */
export const RegistrationShape = Type.Union([
  TokenShape,
  Type.Object({ identifier: Type.String(), message: Type.String() }, { additionalProperties: false }),
]);
