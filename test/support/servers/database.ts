import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseAddress } from '../../../src/platform/index.js';

function serverAddress(): DatabaseAddress {
  const address = process.env['TEST_DATABASE_ADDRESS'];
  if (!address) throw new Error('No test database: run the tests through `npm test`');
  return JSON.parse(address) as DatabaseAddress;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(serverAddress());
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An own database on the run's PostgreSQL: a clone of the migrated template, or an empty one. */
export async function makeDatabase(
  template = 'template_svc',
): Promise<{ address: DatabaseAddress; drop(): Promise<void> }> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  return {
    address: { ...serverAddress(), database: name },
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}
