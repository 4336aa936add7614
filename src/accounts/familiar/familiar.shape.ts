import { type Static, Type } from 'typebox';
import { FlakeId } from '../../common/index.js';
import { AccountShape } from '../model/account.shape.js';

/** The viewer's followees that follow the account with the id (reference FamiliarFollowers). */
export const FamiliarFollowersShape = Type.Object(
  { id: FlakeId, accounts: Type.Array(AccountShape) },
  { additionalProperties: false, title: 'FamiliarFollowers' },
);

export type FamiliarFollowersJson = Static<typeof FamiliarFollowersShape>;
