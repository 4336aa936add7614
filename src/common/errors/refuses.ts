import { type CallHandler, type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
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

const invalid = (reason: DomainError) => (reason instanceof Unprocessable ? new Invalid(reason.reason) : reason);

/** For routes that are documented to answer 400 to any wrong input, without a 422. */
export const ValidationStatus = () => UseInterceptors(new Refusals(invalid));

/** For the administrative API: 400 to any wrong input, and its own text for what does not exist (spec §7). */
export const AdminRefusals = () => {
  const { message } = new NotFound();
  return UseInterceptors(
    new Refusals((reason) => (reason.message === message ? new NotFound('Not found') : invalid(reason))),
  );
};

/** For forms that are documented to answer 403: with the reason, and the reasons by field for apps that show them there. */
export const FormRefusals = () =>
  UseInterceptors(
    new Refusals((reason) =>
      reason instanceof Unprocessable ? new Forbidden(reason.reason, { details: byField(reason) }) : reason,
    ),
  );

/** For routes whose refusals are codes (RFC 6749 §5.2): what is wrong with the input gets one too. */
export const RefusesAsCode = (refusal: (reason: Reason) => DomainError) =>
  UseInterceptors(new Refusals((reason) => (isWithoutCode(reason) ? refusal(reason.reason) : reason)));

const byField = (reason: Unprocessable) =>
  reason instanceof FieldsRefused ? { details: fieldErrors(reason.fields) } : {};

const isWithoutCode = (reason: DomainError) =>
  (reason instanceof Invalid || reason instanceof Unprocessable) && !('error_description' in Object(reason.body));
