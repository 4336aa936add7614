import { createReadStream, createWriteStream } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unlessMissing } from '../env/errors.js';

const MOST_BYTES = 10 * 1024 * 1024;

/** The log of the cluster in `DATA_DIR/postgres`. */
export function logFileIn(folder: string): string {
  return join(folder, 'server.log');
}

/**
 * Moves the end of a log that is too long beside it, or drops it where it cannot be written there. The file itself stays,
 * since PostgreSQL appends to it.
 */
export async function boundLog(path: string): Promise<void> {
  const file = await stat(path).catch(unlessMissing);
  if (!file || file.size <= MOST_BYTES) return;
  const end = createReadStream(path, { start: file.size - MOST_BYTES });
  await pipeline(end, createWriteStream(`${path}.1`, { mode: 0o600 })).finally(() => truncate(path));
}
