import pg from 'pg';
import type { DatabaseAddress } from '../../platform/index.js';

/**
 * Settings of a session that copies rows. Texts must not depend on the operator's settings of the role or the database,
 * since another one reads them; copying takes as long as it takes. Rows come in the order in which they lie, so that two
 * backups of the same rows have the same sums.
 */
const SETTINGS = `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set idle_session_timeout = 0; set client_encoding = 'UTF8'; set standard_conforming_strings = on; set TimeZone = 'UTC';
  set DateStyle = 'ISO'; set IntervalStyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex';
  set client_min_messages = 'warning'; set synchronize_seqscans = off; set default_transaction_read_only = off`;

/** A connection of its own for copying; its end is never an uncaught exception. */
export async function openSession(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({
    ...address,
    application_name: 'svc backup',
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000, // else the first of them leaves after two hours
  });
  client.on('error', () => undefined); // the running statement fails as well
  try {
    await client.connect();
    await client.query(SETTINGS);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
