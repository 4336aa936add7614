import { type Static, type TSchema, Type } from 'typebox';
import { AccountShape } from '../accounts/index.js';
import { PlainStatusShape } from '../statuses/index.js';
import { TagShape } from '../timelines/index.js';

const results = <Tag extends TSchema>(tag: Tag, title: string) =>
  Type.Object(
    {
      accounts: Type.Array(AccountShape),
      statuses: Type.Array(PlainStatusShape),
      hashtags: Type.Array(tag),
      /** Collections do not exist here. */
      collections: Type.Array(Type.Never(), { maxItems: 0 }),
    },
    { additionalProperties: false, title },
  );

/** The result of a search (reference Search). */
export const ResultsShape = results(TagShape, 'Results');
export type ResultsJson = Static<typeof ResultsShape>;

/** The result of v1: hashtags are plain names. */
export const ResultsV1Shape = results(Type.String(), 'SearchV1Results');
export type ResultsV1Json = Static<typeof ResultsV1Shape>;
