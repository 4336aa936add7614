// Borrows the database of DATA_DIR like an operator command does, until a signal. Argument: DATA_DIR.
import { attachDatabase } from '../../../dist/platform.database.database-lease.js';

const stopped = new Promise((resolve) => process.on('SIGTERM', resolve));
const loan = await attachDatabase({ env: { dataDir: process.argv[2] }, log: (line) => console.log(line) });
console.log(`BORROWED ${JSON.stringify(loan.address)}`);
await stopped;
await loan.release();
console.log('RETURNED');
process.exit(0);
