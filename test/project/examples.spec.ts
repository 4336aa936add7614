import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES } from '../../src/ctl/setup/examples.js';
import { environmentVariables } from '../../src/platform/env/env-variables.js';
import { runCtl, runCtlProcess } from '../support/servers/ctl.js';

const ROOT = new URL('../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the examples', () => {
  it.each(Object.keys(EXAMPLES))('%s is what "ctl setup" writes (npm run examples)', (path) => {
    expect(read(path)).toBe(EXAMPLES[path]);
  });

  it('name only metrics that there are', () => {
    const described = new Set(read('docs/runbook.md').match(/\b(?:http|svc|process|nodejs)_[a-z_]+/g));
    for (const file of readdirSync(join(ROOT, 'examples/monitoring'))) {
      const text = read(`examples/monitoring/${file}`);
      const named = text.match(/\b(?:http|svc|process|nodejs)_[a-z_]+/g) ?? [];
      expect(named.map((name) => name.replace(/_bucket$/, '')).filter((name) => !described.has(name))).toEqual([]);
    }
  });
});

describe('docker compose', () => {
  /** What compose.yml or the image decide. */
  const DECIDED = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'ROLE', 'PATH'];
  const variables = Object.keys(environmentVariables).filter((name) => !DECIDED.includes(name));

  it('passes every variable on, and names each in .env.example', () => {
    const compose = read('docker/compose.yml');
    expect(variables.filter((name) => !compose.includes(`${name}: \${${name}:`))).toEqual([]);
    const example = read('docker/.env.example').match(/^[A-Z_]+(?==)/gm);
    expect([...(example ?? [])].sort()).toEqual([...variables, 'POSTGRES_PASSWORD', 'COMPOSE_PROFILES'].sort());
  });
});

describe('ctl setup', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-setup-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const places = () => ['--folder', folder, '--environment', join(folder, 'env')];
  const setup = (...args: string[]) => runCtl({}, 'setup', ...places(), ...args);

  it('writes an environment that only its owner can read, a unit and the file of the proxy', async () => {
    const args = ['--domain', 'social.example', '--proxy', 'nginx', '--data', '/srv/svc'];
    const { code, out } = await runCtlProcess({}, 'setup', ...places(), ...args); // Node reads some options itself
    expect(code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['env', 'nginx.conf', 'svc.service']);
    expect(statSync(join(folder, 'env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'env'), 'utf8')).toContain('\nBASE_URL=https://social.example\n');
    expect(readFileSync(join(folder, 'svc.service'), 'utf8')).toContain(`\nEnvironmentFile=${join(folder, 'env')}\n`);
    expect(out).toContain('systemctl enable --now svc');
  });

  it('takes a domain as people write it', async () => {
    expect(await setup('--domain', 'Bücher.example')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'env'), 'utf8')).toContain('\nBASE_URL=https://xn--bcher-kva.example\n');
  });

  it('overwrites nothing that differs, unless it is told to', async () => {
    writeFileSync(join(folder, 'env'), 'SECRET_KEY=mine\n');
    const refused = await setup('--domain', 'social.example');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('there already') as string });
    expect(readdirSync(folder)).toEqual(['env']);
    expect((await setup('--domain', 'social.example', '--force')).code).toBe(0);
    expect((await setup('--domain', 'social.example')).code).toBe(0); // the same once more
    expect((await setup('--domain', 'other.example', '--force')).code).toBe(0);
    expect(readFileSync(join(folder, 'env.old'), 'utf8')).toBe('SECRET_KEY=mine\n');
    expect(readFileSync(join(folder, 'env.old.2'), 'utf8')).toContain('\nBASE_URL=https://social.example\n');
  });

  it.each([
    ['no domain', []],
    ['an address as the domain', ['--domain', '192.0.2.1']],
    ['a path in the domain', ['--domain', 'social.example/x']],
    ['a line break in a value', ['--domain', 'social.example', '--mail', 'smtp://x\nROLE=web']],
    ['an unknown proxy', ['--domain', 'social.example', '--proxy', 'apache']],
    ['a port above 65535', ['--domain', 'social.example', '--port', '99999']],
    ['a folder with a space', ['--domain', 'social.example', '--data', '/srv/my data']],
    ['a database that is none', ['--domain', 'social.example', '--database', 'mysql://x/y']],
    ['an invalid port', ['--domain', 'social.example', '--port', '0']],
  ])('refuses %s and writes nothing', async (_case, args) => {
    expect((await setup(...args)).code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  describe.each([
    ['systemd-analyze', ['--version'], 'svc.service', 'none', (file: string) => ['verify', '--man=no', file]],
    [
      'caddy',
      ['version'],
      'Caddyfile',
      'caddy',
      (file: string) => ['validate', '--adapter', 'caddyfile', '--config', file],
    ],
  ] as const)('%s', (program, question, name, proxy, args) => {
    const isInstalled = spawnSync(program, question).status === 0;
    if (!isInstalled) console.log(`Skipped: whether ${program} accepts ${name}, since it is not installed`);

    (isInstalled ? it : it.skip)('accepts the file', async () => {
      const here = ['--user', 'root', '--data', folder];
      expect((await setup('--domain', 'social.example', '--proxy', proxy, ...here)).code).toBe(0);
      execFileSync(program, args(join(folder, name)), { stdio: 'pipe', env: { ...process.env, HOME: folder } });
    });
  });
});
