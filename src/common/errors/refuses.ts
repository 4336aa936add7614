import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import type { Reason } from '../reasons/reasons.js';
import { DomainError, Forbidden, Invalid, NotFound, Unprocessable } from './errors.js';
import { fieldErrors, FieldsRefused } from './field-errors.js';

/** Replaces refusals of a handler and of the check of its input. */
class Refusals implements NestInterceptor {
  constructor(private readonly instead: (reason: DomainError) => DomainError) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw error instanceof DomainError ? this.instead(error) : error;
      }),
    );
  }
}

const CONTENT_STATUS = 'content-status';

/** Replaces refusals, and says with which status content is refused that breaks a rule. */
const refusals = (contentStatus: number, instead: (reason: DomainError) => DomainError) =>
  applyDecorators(UseInterceptors(new Refusals(instead)), SetMetadata(CONTENT_STATUS, contentStatus));

/** The status of an answer to content that breaks a rule: 422, unless a decorator of the handler or its controller replaces it. */
export function contentStatusOf(handler: object, controller: object): number {
  const ofHandler = Reflect.getOwnMetadata(CONTENT_STATUS, handler) as number | undefined;
  const ofController = Reflect.getOwnMetadata(CONTENT_STATUS, controller) as number | undefined;
  return ofHandler ?? ofController ?? 422;
}

const invalid = (reason: DomainError) => (reason instanceof Unprocessable ? new Invalid(reason.reason) : reason);

/** For routes that are documented to answer 400 to any wrong input, without a 422. */
export const ValidationStatus = () => refusals(400, invalid);

/** For the administrative API: 400 to any wrong input, and its own text for what does not exist (spec §7). */
export const AdminRefusals = () => {
  const { message } = new NotFound();
  return refusals(400, (reason) => (reason.message === message ? new NotFound('Not found') : invalid(reason)));
};

/** For forms that are documented to answer 403: with the reason, and the reasons by field for apps that show them there. */
export const FormRefusals = () =>
  refusals(403, (reason) =>
    reason instanceof Unprocessable ? new Forbidden(reason.reason, { details: byField(reason) }) : reason,
  );

/** For routes whose refusals are codes (RFC 6749 §5.2): what is wrong with the input gets one too. */
export const RefusesAsCode = (refusal: (reason: Reason) => DomainError) =>
  refusals(400, (reason) => (isWithoutCode(reason) ? refusal(reason.reason) : reason));

const byField = (reason: Unprocessable) =>
  reason instanceof FieldsRefused ? { details: fieldErrors(reason.fields) } : {};

const isWithoutCode = (reason: DomainError) =>
  (reason instanceof Invalid || reason instanceof Unprocessable) && !('error_description' in Object(reason.body));
