import { parse } from 'pg-connection-string';
import { hasCode, StartError } from './errors.js';

/** The address of a PostgreSQL database and its login; understood by `pg` and by TypeORM alike. */
export interface DatabaseAddress {
  /** A host name, or the folder of a unix socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl?: boolean | object;
}

/**
 * Reads a `postgres://` URL. All code uses the result instead of the URL, because the libraries disagree about its
 * query. `sslmode` has the meaning of PostgreSQL's own tools.
 * @throws StartError when the URL is unreadable or names no user or database
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new StartError('expected postgres://user:password@host/database');
  const parsed = read(url);
  if (!parsed.user) throw new StartError('the URL names no user');
  if (!parsed.database) throw new StartError('the URL names no database');
  const port = Number(parsed.port || 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new StartError('the URL has no usable port');
  const ssl = typeof parsed.ssl === 'string' ? parsed.ssl !== 'false' : parsed.ssl;
  return {
    host: parsed.host || 'localhost', // an empty host is an empty string
    port,
    user: parsed.user,
    password: parsed.password ?? '',
    database: parsed.database,
    ...(ssl === undefined ? {} : { ssl }),
  };
}

const ESCAPES =
  'expected a percent-encoded user and password, with %40 for @, %2F for a slash, %3F for a question mark and %23 for #';

function read(url: string) {
  const parsed = partsOf(url);
  if (/@.*\//.test(parsed.database ?? '')) throw new StartError(ESCAPES); // it begins with a part of the password
  return parsed;
}

function partsOf(url: string) {
  try {
    return parse(url, { useLibpqCompat: !url.includes('uselibpqcompat=') });
  } catch (error) {
    if (hasCode(error, 'ERR_INVALID_URL')) throw new StartError(ESCAPES);
    throw new StartError(error instanceof Error ? error.message : 'unreadable URL'); // never repeats the password
  }
}
