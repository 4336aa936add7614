import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive, until } from '../process/scratch.js';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
const us = userInfo().username;
const children: ChildProcess[] = [];

/** A program without packages, and a stand-in of npm that does what the test says. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-bootstrap-'));
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['bootstrap', 'bootstrap.mjs'])
    cpSync(join(SCRIPTS, name), join(folder, 'scripts', name), { recursive: true });
  const packages = {
    '': {},
    'node_modules/a': {},
    'node_modules/b': {},
    'node_modules/c': { os: ['nowhere'] },
    'node_modules/d': { dev: true },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param npm the code of the stand-in: `args` are its arguments, `say` writes to standard error */
function bootstrap(npm: string): Promise<{ code: number; out: string; err: string }> {
  const cli = join(folder, 'npm.mjs');
  const say = `const args = process.argv.slice(2); const say = (text) => process.stderr.write(text + '\\n');`;
  writeFileSync(
    cli,
    `import { appendFileSync } from 'node:fs'; ${say}
    appendFileSync('calls', args.join(' ') + '\\n');\n${npm}`,
  );
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], npm_execpath: cli };
    const ran = execFile(process.execPath, [join(folder, 'scripts/bootstrap.mjs')], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    children.push(ran);
  });
}
const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
const LOG = 'A complete log of this run can be found in: /home/a/.npm/_logs/1.log';
/** What npm writes about a failure, in about 30 lines. */
const failing = (lines: readonly string[]) =>
  `if (args[0] === 'ci') { ${[...lines, 'at stack (file.js:1:2)', LOG].map((line) => `say('npm error ${line}');`).join(' ')} process.exit(7); }`;

it.each([
  [
    'a registry that does not answer',
    ['code EAI_AGAIN', 'request to https://registry.test/a failed, reason: getaddrinfo'],
    'The packages cannot be fetched: https://registry.test does not answer (EAI_AGAIN). Check the network',
  ],
  [
    'a certificate that is not trusted',
    ['code SELF_SIGNED_CERT_IN_CHAIN', 'request to https://registry.test/a failed, reason: certificate'],
    'the certificate of https://registry.test is not trusted (SELF_SIGNED_CERT_IN_CHAIN). Name a file',
  ],
  ['a folder of others', ['code EACCES', 'path /srv/node_modules'], `The user ${us} may not write /srv/node_modules.`],
  [
    'EPERM',
    ['code EPERM', 'path /srv/node_modules'],
    `The system does not let the user ${us} write /srv/node_modules.`,
  ],
  ['a read-only disk', ['code EROFS', 'path /srv/a'], '/srv/a is on a file system that is read-only. Mount it'],
  ['a full disk', ['code ENOSPC', 'path /srv/a'], 'There is no room for /srv/a on its disk. Free some space'],
  ['a file in the way', ['code ENOTDIR', 'path /srv/a/b'], '/srv/a/b leads through a file where a folder is needed.'],
])('%s is one sentence with what to do, and where npm wrote its log', async (_name, lines, sentence) => {
  const { code, err } = await bootstrap(failing(lines));
  const [first, second, ...rest] = err.trimEnd().split('\n');
  expect([code, first, second, rest]).toEqual([
    1,
    expect.stringContaining(sentence),
    'The log of npm: /home/a/.npm/_logs/1.log',
    [],
  ]);
  expect(first).toMatch(/then run the same command again\.$/);
});

it('other failures of npm are shown in its own words', async () => {
  const { code, err } = await bootstrap(failing(['code E404', '404 Not Found - GET https://registry.test/a']));
  expect([code, err]).toEqual([1, expect.stringMatching(/404 Not Found[^]*bootstrap: npm ci ended with 7/)]);
});

it('a signal ends npm too', async () => {
  const ended = bootstrap(
    `if (args[0] === 'ci') { appendFileSync('pid', String(process.pid)); setInterval(() => {}, 1000); }`,
  );
  const pid = Number(
    await until('npm', () => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8')),
  );
  children.at(-1)!.kill('SIGTERM');
  await ended;
  expect(isAlive(pid)).toBe(false);
});

it('a registry that is away is noticed at once, and the cache of npm is tried', async () => {
  const ping = `if (args[0] === 'ping') { say('npm error code ECONNREFUSED'); process.exit(1); }`;
  const { err } = await bootstrap(
    `${ping} ${failing(['code ENOTCACHED', 'request to https://registry.test/a failed: cache mode'])}`,
  );
  expect(calls()).toEqual([
    expect.stringMatching(/^ping .*--fetch-retries=0/),
    expect.stringMatching(/^ci .*--prefer-offline --fetch-retries=0$/),
  ]);
  expect(err).toContain('https://registry.test does not answer (ECONNREFUSED)');
});

it.each(['node_modules', 'dist'])('a file in the place of %s is one sentence', async (name) => {
  writeFileSync(join(folder, name), '');
  if (name === 'dist') {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/.bin/node'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  }
  const { code, err } = await bootstrap('');
  const sentence = `${join(folder, name)} is a file, and a folder is needed there. Move it away, then run the same command again.\n`;
  expect([code, err]).toEqual([1, sentence]);
  expect(existsSync(join(folder, 'calls'))).toBe(name === 'dist');
});

it.each([
  ['into an empty folder needs room on the disk', 'new', {}, 1],
  ['in the place of what is there needs none', 'scripts', {}, 0],
  ['beside what is there needs room on the disk', 'scripts', { adds: true }, 1],
])('an installation %s', (_what, name, options, code) => {
  const script = `import { requireRoom } from './scripts/bootstrap/failures.mjs'; requireRoom('${name}', 1e12, ${JSON.stringify(options)})`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect([status, String(stderr)]).toEqual([code, code === 0 ? '' : expect.stringContaining('There is no room for')]);
});

describe('the progress', () => {
  const path = join(SCRIPTS, 'bootstrap/progress.mjs');
  type Every = (show: () => void, ms: number) => undefined;
  interface Progress {
    packageFolders: (lock: string, forDevelopment: boolean) => string[];
    installed: (folders: readonly string[]) => number;
    showProgress: (of: object) => () => void;
  }
  const progress = () => import(path) as Promise<Progress>;

  it.each([
    [true, 1_000, '\r\x1b[K  1 of about 2 packages after 20 s\r\x1b[K'],
    [false, 10_000, '  1 of about 2 packages after 20 s\n'],
  ])('is a changing line on a terminal, and a line each ten seconds elsewhere: %s', async (isTTY, wanted, text) => {
    const { packageFolders, installed, showProgress } = await progress();
    const folders = packageFolders(join(folder, 'package-lock.json'), false).map((each) => join(folder, each));
    mkdirSync(folders[0]!, { recursive: true });
    writeFileSync(join(folders[0]!, 'package.json'), '{}');
    const written: string[] = [];
    const times = [0, 20_000];
    const now = () => times.shift()!;
    let interval = 0;
    const every: Every = (show, ms) => {
      interval = ms;
      show();
      return undefined;
    };
    const output = { isTTY, write: (part: string) => written.push(part) };
    showProgress({ total: folders.length, count: () => installed(folders), output, now, every })();
    expect([interval, written.join('')]).toEqual([wanted, text]);
  });
});

const { scripts: scriptsOfNpm } = JSON.parse(readFileSync(join(SCRIPTS, '../package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Stands for npm: notes how it was called, and puts there what the bootstrap needs next. `BREAK=1` kills it. */
const INSTALLING_NPM = `
  import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
  const [command, ...flags] = process.argv.slice(2);
  if (command === 'ping') process.exit();
  appendFileSync('calls', command + (flags.includes('--omit=dev') ? ' without' : ' with') + ' development\\n');
  if (command === 'ci') rmSync('node_modules', { recursive: true, force: true });
  for (const folder of ['node_modules/.bin', 'node_modules/rolldown/bin']) mkdirSync(folder, { recursive: true });
  if (process.env.BREAK) process.kill(process.pid, 'SIGKILL');
  if (command === 'ci') symlinkSync(process.execPath, 'node_modules/.bin/node');
  writeFileSync('node_modules/rolldown/bin/cli.mjs', BUILD);
`;
const BUILD = `
  import { appendFileSync, mkdirSync } from 'node:fs';
  appendFileSync('calls', 'build\\n');
  mkdirSync('dist', { recursive: true });
`;

const RUNTIME = 'ci without development';
const ALL = 'ci with development';
const ADD = 'install with development';

describe('what is installed and built', () => {
  beforeEach(() => {
    for (const path of ['src/main.ts', 'package.json', '.npmrc', 'calls']) write(path, '');
    lock(0);
    write('npm.mjs', `const BUILD = ${JSON.stringify(BUILD)};${INSTALLING_NPM}`);
  });

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  const lock = (version: number) => write('package-lock.json', JSON.stringify({ version, packages: {} }));

  /** Runs what npm runs before a script, or for `build`; answers what was installed and built. */
  function before(script: string, env: Record<string, string> = {}): string[] {
    writeFileSync(join(folder, 'calls'), '');
    const command = scriptsOfNpm[`pre${script}`] ?? scriptsOfNpm[script] ?? '';
    spawnSync('sh', ['-c', command], {
      cwd: folder,
      env: { ...process.env, npm_execpath: join(folder, 'npm.mjs'), ...env },
    });
    return readFileSync(join(folder, 'calls'), 'utf8').split('\n').slice(0, -1);
  }

  it.each(['start', 'ctl', 'demo', 'build'])('installs only what runs before npm run %s, once', (script) => {
    expect(before(script)).toEqual([RUNTIME, 'build']);
    expect(before(script)).toEqual([]);
  });

  it.each(['test', 'bench'])('installs everything before npm run %s, which a start uses too', (script) => {
    expect(before(script)).toEqual([ALL, 'build']);
    expect(before(script)).toEqual([]);
    expect(before('start')).toEqual([]);
  });

  it('adds the packages of development to those that run, and a start afterwards changes nothing', () => {
    before('start');
    expect(before('test')).toEqual([ADD]);
    expect(before('start')).toEqual([]);
    expect(before('test')).toEqual([]);
  });

  it.each(['types', 'lint', 'deps', 'format'])('does not build before npm run %s', (script) => {
    expect(before(script)).toEqual([ALL]);
    expect(before('start')).toEqual(['build']);
  });

  it('builds again when a source has changed, and installs nothing', () => {
    before('start');
    write('src/main.ts', '1');
    expect(before('start')).toEqual(['build']);
    before('test');
    write('src/main.ts', '2');
    expect(before('test')).toEqual(['build']);
  });

  it('installs again what was there when the lock has changed', () => {
    before('start');
    lock(1);
    expect(before('start')).toEqual([RUNTIME, 'build']);
    lock(2);
    expect(before('test')).toEqual([ALL, 'build']);
    lock(3);
    expect(before('start')).toEqual([ALL, 'build']);
  });

  it('begins an installation anew that was killed', () => {
    expect(before('start', { BREAK: '1' })).toEqual([RUNTIME]);
    expect(before('start')).toEqual([RUNTIME, 'build']);
    lock(1);
    before('start', { BREAK: '1' });
    lock(0);
    expect(before('start')).toEqual([RUNTIME]);
  });

  it('starts when the addition was killed, and then installs everything for development', () => {
    before('start');
    expect(before('test', { BREAK: '1' })).toEqual([ADD]);
    expect(before('start')).toEqual([]);
    expect(before('test')).toEqual([ALL]);
    expect(before('start')).toEqual([]);
  });
});
