import { fileURLToPath } from 'node:url';

/* Plain enough for old versions, which could not even read the rest of the program: loaded before anything else. */
const OLDEST = 24;

/**
 * Ends the process with one line on a Node.js that is too old: `npm start` brings its own. Otherwise, before anything else is
 * loaded, it lets stacks name our sources, and keeps compiled code beside the packages where that folder can be written: to
 * compile it takes an eighth of a start.
 */
export async function prepareNode(): Promise<void> {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) < OLDEST) {
    process.stderr.write(
      `svc needs Node.js ${OLDEST} or newer, and this is ${node}. "npm start" brings its own; so does node_modules/.bin/node.\n`,
    );
    process.exit(1);
  }
  const { enableCompileCache, setSourceMapsSupport } = await import('node:module'); // old versions have neither
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/programs', import.meta.url)));
  setSourceMapsSupport(true, { nodeModules: false }); // maps of libraries would take 8 MB
}
