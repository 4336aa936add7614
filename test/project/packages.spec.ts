import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts, dependencies } = JSON.parse(read('package.json')) as Record<
  'scripts' | 'dependencies',
  Record<string, string>
>;

/** Stands for npm: notes how it was called, and puts there what the bootstrap needs next. `BREAK=1` kills it. */
const NPM = `
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

describe('the bootstrap', () => {
  let clone: string;

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'svc-bootstrap-'));
    for (const path of ['src/main.ts', 'package.json', '.npmrc', 'calls']) write(path, '');
    lock(0);
    write('npm.mjs', `const BUILD = ${JSON.stringify(BUILD)};${NPM}`);
    for (const path of ['scripts/bootstrap.mjs', 'scripts/bootstrap'])
      cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  });
  afterEach(() => {
    rmSync(clone, { recursive: true, force: true });
  });

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  }

  const lock = (version: number) => write('package-lock.json', JSON.stringify({ version, packages: {} }));

  /** Runs what npm runs before a script, or for `build`; answers what was installed and built. */
  function before(script: string, env: Record<string, string> = {}): string[] {
    writeFileSync(join(clone, 'calls'), '');
    const command = scripts[`pre${script}`] ?? scripts[script] ?? '';
    spawnSync('sh', ['-c', command], {
      cwd: clone,
      env: { ...process.env, npm_execpath: join(clone, 'npm.mjs'), ...env },
    });
    return readFileSync(join(clone, 'calls'), 'utf8').split('\n').slice(0, -1);
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

describe('the image', () => {
  it('has every package that the server imports, and what Nest demands of those who use it, and no other', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.spec)\.ts$/.test(name))
      .map((name) => read(`src/${name}`))
      .join('\n');
    const imports = (name: string) =>
      new RegExp(`(from|import\\(|import|require\\(|resolve\\() ?'${name.replaceAll('.', '\\.')}['/]`).test(sources);
    const removed = /npm uninstall (?:--\S+ )*(.*)/.exec(read('docker/Dockerfile'))?.[1]?.split(' ') ?? [];
    const unused = Object.keys(dependencies).filter((name) => !imports(name));
    expect(unused.sort()).toEqual([...removed, 'reflect-metadata'].sort());
  });
});
