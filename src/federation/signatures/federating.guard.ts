import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { NotFound, prefersPage, requestOf } from '../../common/index.js';
import { Settings } from '../../config/index.js';

const HAS_PAGE = Symbol('has page');

/** Marks documents from which browsers are led to a page. */
export const HasPage = (): MethodDecorator => SetMetadata(HAS_PAGE, true);

/** Refuses what other servers ask and send while this one does not federate. Browsers are still led to pages. */
@Injectable()
export class FederatingGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.settings.get('instance.federating')) return true;
    const hasPage = Reflect.getMetadata(HAS_PAGE, context.getHandler()) === true;
    if (hasPage && prefersPage(requestOf(context))) return true;
    throw new NotFound('Not found');
  }
}
