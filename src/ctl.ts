/* Operator commands: `npm run ctl -- <topic> <verb>`. */
import { runOperatorCommand } from './operator-command.js';

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
process.exitCode = await runOperatorCommand(process.argv.slice(2), process.env, stop.signal, console);
process.exit();
