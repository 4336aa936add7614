import { type Static, Type } from 'typebox';
import { DecimalId } from '../../common/index.js';

/** A list as its owner sees it (reference List). */
export const ListShape = Type.Object(
  {
    id: DecimalId,
    title: Type.String({ minLength: 1 }),
    replies_policy: Type.Union([Type.Literal('followed'), Type.Literal('list'), Type.Literal('none')]),
    exclusive: Type.Boolean(),
  },
  { additionalProperties: false, title: 'List' },
);

export type ListJson = Static<typeof ListShape>;
