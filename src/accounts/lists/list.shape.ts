import { type Static, Type } from 'typebox';
import { DecimalId, Described } from '../../common/index.js';

/** A list as its owner sees it (reference List). */
export const ListShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the list.'),
    title: Described(Type.String({ minLength: 1 }), 'The name of the list.'),
    replies_policy: Described(
      Type.Union([Type.Literal('followed'), Type.Literal('list'), Type.Literal('none')]),
      'Which replies of the members the list shows.',
    ),
    exclusive: Described(Type.Boolean(), 'Whether posts of the members leave the home timeline.'),
  },
  { additionalProperties: false, title: 'List' },
);

export type ListJson = Static<typeof ListShape>;
