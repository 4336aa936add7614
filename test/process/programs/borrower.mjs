// Borrows the database of DATA_DIR like an operator command does, until a signal, or with `claim` has it for itself.
// Arguments: DATA_DIR, claim.
import { attachDatabase, claimDatabase } from '../../../dist/platform.database.database-lease.js';

const stopped = new Promise((resolve) => process.on('SIGTERM', resolve));
const [dataDir, claim] = process.argv.slice(2);
const use = claim === undefined ? attachDatabase : claimDatabase;
const loan = await use({ env: { dataDir }, log: (line) => console.log(line), sessionName: 'svc ctl' });
console.log(`BORROWED ${JSON.stringify(loan.address)}`);
await stopped;
await loan.release();
console.log('RETURNED');
process.exit(0);
