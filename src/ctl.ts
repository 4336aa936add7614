/* Operator commands: `npm run ctl -- <topic> <verb>`. */
import { prepareCommand, prepareNode } from './prepare-node.js';

prepareNode();
await prepareCommand();

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

const { runOperatorCommand } = await import('./operator-command.js');
process.exitCode = await runOperatorCommand(process.argv.slice(2), process.env, stop.signal, console);
process.exit();
