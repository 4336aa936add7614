import { Type } from 'typebox';
import { Nullable } from '../../common/index.js';

/** The address of an account's picture; null after its removal (spec §4.2). */
export const PictureShape = Type.Object(
  { url: Nullable(Type.String()) },
  { additionalProperties: false, title: 'Picture' },
);
