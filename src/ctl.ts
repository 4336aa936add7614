/* Operator commands: `npm run ctl -- <topic> <verb>`. */
import { requireNode } from './require-node.js';

requireNode();
const { setSourceMapsSupport } = await import('node:module'); // old versions have none

setSourceMapsSupport(true, { nodeModules: false }); // before anything else is loaded, as in `main.ts`

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

const { runOperatorCommand } = await import('./operator-command.js');
process.exitCode = await runOperatorCommand(process.argv.slice(2), process.env, stop.signal, console);
process.exit();
