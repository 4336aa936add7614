/* The process: runs the server until a signal, and ends with 0 when all of it was undone. */
import { setSourceMapsSupport } from 'node:module';

// Stacks name our sources. Those of the libraries stay out: their maps would take 8 MB.
setSourceMapsSupport(true, { nodeModules: false });

const stop = new AbortController();

// Before anything else is loaded: a signal ends a start as well as a running server, and its repetition changes nothing.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

// A terminal that was closed must not keep us from stopping.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.on('uncaughtException', (error) => {
  console.error(error);
  process.exitCode = 1;
  stop.abort();
});

const { explain, run } = await import('./run.js');
try {
  await run(process.env, (line) => console.log(line), stop.signal);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
process.exit();
