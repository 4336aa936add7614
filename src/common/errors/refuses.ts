import { type CallHandler, type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { type DomainError, Forbidden, Invalid, Unprocessable } from './errors.js';

/** Changes the status when a handler or the check of its input finds a broken content rule. */
class Refusals implements NestInterceptor {
  constructor(private readonly instead: (reason: Unprocessable) => DomainError) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw error instanceof Unprocessable ? this.instead(error) : error;
      }),
    );
  }
}

/** For routes that are documented to answer 400 to any wrong input, without a 422. */
export const ValidationStatus = () => UseInterceptors(new Refusals(({ message }) => new Invalid(message)));

/** For routes that are documented to answer `Invalid request`, with the reason beside it. */
export const RefusesAsInvalidRequest = () =>
  UseInterceptors(
    new Refusals(({ message }) => new Forbidden('Invalid request', { details: { error_description: message } })),
  );
