import type { Response } from 'express';
import { Invalid } from '../errors/errors.js';
import { fieldPhrase, phrase } from '../reasons/reasons.js';

const LONGEST_KEY = 255;

/**
 * The value of the header `Idempotency-Key`; an empty one counts as none.
 * @throws Invalid when it is too long
 */
export function checkedKey(key: string | undefined): string | undefined {
  if (!key) return undefined;
  if (key.length > LONGEST_KEY)
    throw new Invalid(
      fieldPhrase('Idempotency-Key', phrase('must have at most {max} characters', { max: LONGEST_KEY })),
    );
  return key;
}

/** Tells the client which key counted, and whether an earlier request had created the object. */
export function writeKeyHeaders(response: Response, key: string | undefined, replayed: boolean): void {
  if (replayed) response.setHeader('Idempotent-Replayed', 'true');
  if (key !== undefined) response.setHeader('Idempotency-Key', key);
}
