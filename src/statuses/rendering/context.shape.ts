import { type Static, Type } from 'typebox';
import { PostShape } from './status.shape.js';

/** What is around a post (reference Context). Boosts are in no conversation. */
export const ContextShape = Type.Object(
  { ancestors: Type.Array(PostShape), descendants: Type.Array(PostShape) },
  { additionalProperties: false, title: 'Context' },
);

export type ContextJson = Static<typeof ContextShape>;
