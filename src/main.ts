/* The process: runs the server until a signal, and exits with 0 after a clean shutdown. */
import { prepareNode } from './prepare-node.js';

prepareNode();

const STRICT = '--strict';
if (process.argv.slice(2).some((argument) => argument !== STRICT)) {
  console.log('Usage: npm start [-- --strict]');
  console.log('--strict refuses a database that a newer version has used.');
  console.log('Variables of the environment say how the server runs (docs/settings.md), such as');
  console.log('  BASE_URL=https://social.example PORT=4000 DATA_DIR=/var/lib/svc npm start');
  console.log('npm start reads a file .env too. Operator commands, also to set up a machine: npm run ctl -- help');
  process.exit(process.argv.includes('--help') ? 0 : 2);
}

const stop = new AbortController();

// Before anything else is loaded: a signal ends a start as well as a running server; repeated signals change nothing.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

// A closed terminal must not prevent the shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

let shown = (error: unknown): unknown => error; // until what shows our sources is loaded
process.on('uncaughtException', (error) => {
  console.error(shown(error));
  process.exitCode = 1;
  stop.abort();
});

const { inspected, explain, run } = await import('./run.js');
shown = inspected;
try {
  const environment = process.argv.includes(STRICT) ? { ...process.env, STRICT: 'true' } : process.env;
  await run(environment, (line) => console.log(line), stop.signal);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
process.exit();
