import { Type } from 'typebox';
import { Described } from '../../common/index.js';
import { RuleShape } from '../../instance/index.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** A rule as administrators see it. */
export const AdminRuleShape = Type.Object(
  {
    ...RuleShape.properties,
    priority: Described(Type.Integer(), 'The place in the list: rules with smaller numbers come first.'),
  },
  { ...closed, title: 'AdminRule' },
);

/** Numbers of posts (spec §4.1.5). */
export const StatsShape = Type.Object(
  {
    status_visibility: Described(
      Type.Object(
        {
          direct: Described(Count, 'The number of direct messages.'),
          private: Described(Count, 'The number of posts for followers only.'),
          public: Described(Count, 'The number of public posts.'),
          unlisted: Described(Count, 'The number of unlisted posts.'),
        },
        closed,
      ),
      'The numbers of posts by visibility.',
    ),
  },
  { ...closed, title: 'Stats' },
);

/** The public address of a document (spec §4.1.8). */
export const DocumentUrlShape = Type.Object(
  { url: Described(Type.String(), 'The address of the document.') },
  { ...closed, title: 'DocumentUrl' },
);
