import { Type } from 'typebox';

/** The aliases of an account (spec §4.2). */
export const AliasesShape = Type.Object(
  { aliases: Type.Array(Type.String()) },
  { additionalProperties: false, title: 'Aliases' },
);
