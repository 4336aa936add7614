import { Type } from 'typebox';

/** The accounts that an account says it is as well (spec §4.2). */
export const AliasesShape = Type.Object(
  { aliases: Type.Array(Type.String()) },
  { additionalProperties: false, title: 'Aliases' },
);
