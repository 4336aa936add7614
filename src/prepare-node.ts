import { fileURLToPath } from 'node:url';

/* Plain enough for old versions, which could not even read the rest of the program: loaded before anything else. */
const OLDEST = 24;

/**
 * Ends the process with one line on a Node.js that is too old: `npm start` brings its own. Otherwise, before anything else is
 * loaded, it lets stacks name our sources.
 */
export async function prepareNode(): Promise<void> {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) < OLDEST) {
    process.stderr.write(
      `svc needs Node.js ${OLDEST} or newer, and this is ${node}. "npm start" brings its own; so does node_modules/.bin/node.\n`,
    );
    process.exit(1);
  }
  const { setSourceMapsSupport } = await import('node:module'); // old versions do not have it
  setSourceMapsSupport(true, { nodeModules: false }); // maps of libraries would take 8 MB
}

/**
 * Stores compiled code beside the packages, where that folder can be written: a command ends in three quarters of the CPU time.
 * Node holds what it has read of it until the process ends, 12 MB of a server (docs/adr/0018).
 */
export async function cacheCompiledCode(): Promise<void> {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/programs', import.meta.url)));
}
