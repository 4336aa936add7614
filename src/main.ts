/* The process: runs the server until a signal, and exits with 0 after a clean shutdown. */
import { setSourceMapsSupport } from 'node:module';

// Stacks name our sources. Libraries are excluded: their maps would take 8 MB.
setSourceMapsSupport(true, { nodeModules: false });

const stop = new AbortController();

// Before anything else is loaded: a signal ends a start as well as a running server; repeated signals change nothing.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

// A closed terminal must not prevent the shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.on('uncaughtException', (error) => {
  console.error(error);
  process.exitCode = 1;
  stop.abort();
});

const { explain, run } = await import('./run.js');
try {
  const environment = process.argv.includes('--strict') ? { ...process.env, STRICT: 'true' } : process.env;
  await run(environment, (line) => console.log(line), stop.signal);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
process.exit();
