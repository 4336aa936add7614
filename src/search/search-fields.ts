import { applyDecorators } from '@nestjs/common';
import { BooleanLike, Describe } from '../common/index.js';

/** The most characters of what is searched for. */
export const MAX_QUERY_LENGTH = 2_048;

/** The field `following` of a search. */
export function FollowedOnly(): PropertyDecorator {
  return applyDecorators(Describe('Whether to find only accounts that the caller follows.'), BooleanLike());
}
