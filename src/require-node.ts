/* Plain enough for old versions, which could not even read the rest of the program: loaded before anything else. */
const OLDEST = 24;

/** Ends the process with one line on a Node.js that is too old: `npm start` brings its own. */
export function requireNode(): void {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= OLDEST) return;
  process.stderr.write(
    `svc needs Node.js ${OLDEST} or newer, and this is ${node}. "npm start" brings its own; so does node_modules/.bin/node.\n`,
  );
  process.exit(1);
}
