import { type Static, type TSchema, Type } from 'typebox';
import { Described } from '../common/index.js';
import { AccountShape } from '../accounts/index.js';
import { PlainStatusShape } from '../statuses/index.js';
import { TagShape } from '../timelines/index.js';

const results = <Tag extends TSchema>(tag: Tag, title: string) =>
  Type.Object(
    {
      accounts: Described(Type.Array(AccountShape), 'The accounts that were found.'),
      statuses: Described(Type.Array(PlainStatusShape), 'The posts that were found.'),
      hashtags: Described(Type.Array(tag), 'The hashtags that were found.'),
      /** Collections do not exist here. */
      collections: Described(Type.Array(Type.Never(), { maxItems: 0 }), 'Collections: always none.'),
    },
    { additionalProperties: false, title },
  );

/** The result of a search (reference Search). */
export const ResultsShape = results(TagShape, 'Results');
export type ResultsJson = Static<typeof ResultsShape>;

/** The result of v1: hashtags are plain names. */
export const ResultsV1Shape = results(Type.String(), 'SearchV1Results');
export type ResultsV1Json = Static<typeof ResultsV1Shape>;
