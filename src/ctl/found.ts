import { NotFound } from '../common/index.js';
import { CommandError } from './command.js';

/** Names the thing that is not there, instead of "Record not found". */
export async function requireFound<T>(thing: string, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (cause) {
    throw cause instanceof NotFound ? new CommandError(`There is no ${thing}.`, { cause }) : cause;
  }
}
