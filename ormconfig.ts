import { DataSource } from 'typeorm';
import { applicationDatabase } from './src/app.database.js';
import { parseDatabaseUrl, readEnv } from './src/platform/index.js';

const { databaseUrl } = readEnv(process.env);
if (!databaseUrl) throw new Error('Set DATABASE_URL: the TypeORM command line cannot start the bundled PostgreSQL');

/** The data source of the TypeORM command line. */
export default new DataSource(applicationDatabase(parseDatabaseUrl(databaseUrl)));
