import { joined, type Reason } from '../reasons/reasons.js';
import { Unprocessable } from './errors.js';

/** The errors by field: `{nickname: ['is reserved']}`. */
export type FieldMessages = Readonly<Record<string, readonly Reason[]>>;

/** One error of a field, as apps of the reference API read it. */
export interface FieldError {
  readonly error: (typeof CODES)[number][1];
  readonly description: string;
}

/** Codes of the reference API for field errors; an unlisted error is `ERR_INVALID`. */
const CODES = [
  [/ is not an? [a-z ]+$/, 'ERR_INVALID'], // first: it begins with typed text, which may hold any word below
  [/be blank/, 'ERR_BLANK'],
  [/taken/, 'ERR_TAKEN'],
  [/reserved/, 'ERR_RESERVED'],
  [/must be accepted/, 'ERR_ACCEPTED'],
  [/at most|too long/, 'ERR_TOO_LONG'],
  [/at least/, 'ERR_TOO_SHORT'],
  [/too young/, 'ERR_BELOW_LIMIT'],
] as const;

/** 422 with what is wrong by field. */
export class FieldsRefused extends Unprocessable {
  constructor(
    readonly fields: FieldMessages,
    reason: Reason = joined(Object.values(fields).flat()),
  ) {
    super(reason);
  }
}

/** Collects what is wrong with a form, so that one answer names every wrong field. */
export class FieldProblems {
  private readonly found: Record<string, readonly Reason[]> = {};

  /** Runs one check: what it refuses counts for the field, or for the fields that it names itself. */
  async check<T>(field: string, check: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof Unprocessable)) throw error;
      this.add(error instanceof FieldsRefused ? error.fields : { [field]: [error.reason] });
      return undefined;
    }
  }

  /** @throws FieldsRefused, or what `refusal` makes of them, when any check refused something */
  throwIfAny(refusal = (fields: FieldMessages): Error => new FieldsRefused(fields)): void {
    if (Object.keys(this.found).length > 0) throw refusal(this.found);
  }

  /** Counts errors that the caller has found. */
  add(fields: FieldMessages): void {
    for (const [field, messages] of Object.entries(fields)) {
      this.found[field] = [...(this.found[field] ?? []), ...messages];
    }
  }
}

/** The errors by field, each with its code. */
export function fieldErrors(fields: FieldMessages): Record<string, readonly FieldError[]> {
  return Object.fromEntries(Object.entries(fields).map(([field, messages]) => [field, messages.map(fieldError)]));
}

function fieldError(reason: Reason): FieldError {
  const description = String(reason);
  const error = CODES.find(([pattern]) => pattern.test(description))?.[1] ?? 'ERR_INVALID';
  return { error, description };
}
