import { fileURLToPath } from 'node:url';

/* Plain enough for old versions, which could not even read the rest of the program: loaded before anything else. */
const OLDEST = 24;

/** Ends the process with one line on a Node.js that is too old: `npm start` brings its own. */
export function prepareNode(): void {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= OLDEST) return;
  process.stderr.write(
    `svc needs Node.js ${OLDEST} or newer, and this is ${node}. "npm start" brings its own; so does node_modules/.bin/node.\n`,
  );
  process.exit(1);
}

/**
 * Before a command is loaded: lets stacks name our sources, and stores compiled code beside the packages, where that folder can
 * be written. A command takes three quarters of the CPU time with it. Node holds what it has read of both until the process
 * ends, 15 MB of a server, which therefore has neither (docs/adr/0018).
 */
export async function prepareCommand(): Promise<void> {
  const { enableCompileCache, setSourceMapsSupport } = await import('node:module'); // old versions have neither
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/programs', import.meta.url)));
  setSourceMapsSupport(true, { nodeModules: false }); // maps of libraries would take 8 MB
}
