import { applyDecorators } from '@nestjs/common';
import { Describe } from './parameters.js';
import { BooleanLike } from './transforms.js';

/** The field `with_muted` of a list. */
export function WithMuted(): PropertyDecorator {
  return applyDecorators(
    Describe('Whether to include posts and notifications of muted accounts and threads.'),
    BooleanLike(),
  );
}

/** The field `with_relationships` of a list with accounts. */
export function WithRelationships(): PropertyDecorator {
  return applyDecorators(Describe('Whether each account carries how the caller relates to it.'), BooleanLike());
}
