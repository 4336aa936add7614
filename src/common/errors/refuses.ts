import { type CallHandler, type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { type DomainError, Forbidden, Invalid, Unprocessable } from './errors.js';

/** Answers something else where a handler, or the check of its input, finds that a rule about content is broken. */
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

/** For routes that are documented to answer 400 to whatever is wrong with their input, and know no 422. */
export const ValidationStatus = () => UseInterceptors(new Refusals(({ message }) => new Invalid(message)));

/** For routes that are documented to answer `Invalid request`: what is wrong with it is told beside that. */
export const RefusesAsInvalidRequest = () =>
  UseInterceptors(
    new Refusals(({ message }) => new Forbidden('Invalid request', { details: { error_description: message } })),
  );
