import type { DataSourceOptions } from 'typeorm';
import { entities } from './app.entities.js';
import { migrations } from './migrations/index.js';
import { type ChangeReports, type DatabaseAddress, dataSourceOptions, type Tracing } from './platform/index.js';

/** The TypeORM options of the whole application for an address. */
export function applicationDatabase(
  address: DatabaseAddress,
  reports?: ChangeReports,
  tracing?: Tracing,
): DataSourceOptions {
  return dataSourceOptions(address, { entities, migrations }, reports, tracing);
}
