/**
 * The storage of files does not answer, or refuses. The message says why, for the log and the operator: it names no
 * secret and no key. Requests get 503, jobs try again.
 */
export class StorageError extends Error {
  override name = 'StorageError';

  constructor(
    reason: string,
    /** The status of the answer, if there was one. */
    readonly status?: number,
  ) {
    super(`The storage of files ${reason}`);
  }

  /** The error of a client of the storage, without what it says of the request. */
  static of(error: unknown): StorageError {
    if (error instanceof StorageError) return error;
    const { name, code, $metadata } = (error ?? {}) as {
      name?: string;
      code?: string;
      $metadata?: { httpStatusCode?: number };
    };
    const status = $metadata?.httpStatusCode;
    const what = WORD.exec(code ?? name ?? '')?.[0] ?? 'unknown';
    return status === undefined || status < 300
      ? new StorageError(`does not answer: ${what}`)
      : new StorageError(`refused: ${status} ${what}`, status);
  }
}

const WORD = /^[A-Za-z_]{1,60}$/;
