// Writes docs/schema.sql: `npm run schema`.
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import setUpDatabase, { teardown, TEMPLATE } from '../test/support/global-setup.mjs';
import { schemaText } from '../test/support/schema-text.ts';

await setUpDatabase();
const client = new pg.Client({ ...JSON.parse(process.env.TEST_DATABASE_ADDRESS), database: TEMPLATE });
try {
  await client.connect();
  writeFileSync(new URL('../docs/schema.sql', import.meta.url), await schemaText(client));
} finally {
  await client.end();
  await teardown();
}
