// Holds the database of DATA_DIR like the server does, until a signal. Arguments: DATA_DIR, how long it waits in ms.
import { leaseDatabase } from '../../../dist/platform.database.database-lease.js';

const [dataDir, waitMs = '20000'] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());

const say = (line) => console.log(line);
try {
  const hold = await leaseDatabase({
    env: { dataDir, databaseUrl: process.env.DATABASE_URL },
    log: say,
    signal: stop.signal,
    waitMs: Number(waitMs),
  });
  hold.onLost((reason) => {
    say(`LOST ${reason.message}`);
    stop.abort();
  });
  say(`HELD ${JSON.stringify(hold.address)}`);
  if (!stop.signal.aborted) await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
  await hold.release();
  say('RELEASED');
} catch (error) {
  if (error.name !== 'AbortError') {
    console.log(`FAILED ${error.name}: ${error.message}`);
    process.exit(1);
  }
}
process.exit(0);
