import { Type } from 'typebox';
import { Nullable } from '../../common/index.js';

/** Where a picture of an account is found now; null when it was taken away (spec §4.2). */
export const PictureShape = Type.Object(
  { url: Nullable(Type.String()) },
  { additionalProperties: false, title: 'Picture' },
);
