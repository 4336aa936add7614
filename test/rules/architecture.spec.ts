import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';

const ROOT = new URL('../..', import.meta.url).pathname;
const MAX_LINES = 400;

const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

describe('the code base', () => {
  it('has no source file above 400 lines', () => {
    const long = [...sources('src'), ...sources('test')]
      .filter((file) => !file.startsWith('src/migrations/'))
      .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('has no folder with more than 25 files', () => {
    const files = [...sources('src'), ...sources('test')].map((file) => dirname(file));
    const counts = Map.groupBy(files, (folder) => folder);
    expect([...counts].filter(([, { length }]) => length > 25).map(([folder]) => folder)).toEqual([]);
  });

  it('respects the order of modules, their public entry points and the layers', () => {
    const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const run = spawnSync(process.execPath, [cruiser, '--config', '.dependency-cruiser.cjs', 'src'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(run.stderr + (run.status === 0 ? '' : run.stdout)).toBe('');
  });

  const code = sources('src').filter((file) => !file.endsWith('.spec.ts') && !file.startsWith('src/migrations/'));
  const filesWith = (...patterns: RegExp[]) =>
    code.filter((file) => patterns.every((pattern) => pattern.test(readFileSync(join(ROOT, file), 'utf8')))).sort();

  it('F25 remembers activities in one place, after their effect, and F26 gives handles in one', () => {
    expect(filesWith(/insert into seen_activities/)).toEqual(['src/federation/fetch/seen-activities.repository.ts']);
    expect(filesWith(/\bthis\.seen\.(claim|settle)\(/)).toEqual(['src/federation/inbox/activity-runner.ts']);
    expect(filesWith(/\bhandleFor\(/)).toEqual(['src/accounts/remote/remote-accounts.service.ts']);
  });

  it('checks passwords in one place, which counts wrong passwords', () => {
    expect(filesWith(/\bverifyPassword\(/)).toEqual([
      'src/accounts/users/users.service.ts',
      'src/platform/crypto/passwords.ts',
      'src/sign-in/guessing/password-check.service.ts',
    ]);
  });

  it('O28 asks for the second factor wherever a password signs in, and for the own origin in every form', () => {
    const signIns = filesWith(/\bPasswordCheckService\b/, /\.check\(/);
    expect(signIns.filter((file) => !filesWith(/\bmfa\b/i).includes(file))).toEqual([
      'src/sign-in/security/own-security.service.ts', // asks the caller once more
    ]);
    const forms = filesWith(/@Post\(/, /\bPages\b/);
    expect(forms.filter((file) => !filesWith(/require(OwnForm|Form|SameOrigin)\(/).includes(file))).toEqual([
      'src/sign-in/registration/confirmations.controller.ts', // a link in a letter is the proof
      'src/sign-in/security/password-resets.controller.ts', // likewise; anybody may ask for the letter
      'src/sign-in/security/unsubscribe.controller.ts', // likewise; mail programs send it (RFC 8058)
      'src/web/frontends/frontend-switcher.controller.ts', // sets the look of one browser
    ]);
    // Browsers name no origin in a form of a page without referrers.
    expect(filesWith(/require(OwnForm|Form|SameOrigin)\(/, /no-referrer/)).toEqual([
      'src/access/authorize/authorize.controller.ts', // on the way back to an app, which is no page
    ]);
  });

  it('H26 reads JSON from outside in one place', () => {
    const readers = sources('src').filter(
      (file) => !file.endsWith('.spec.ts') && /JSON\.parse\(/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(readers.sort()).toEqual([
      'src/common/answers/json.ts', // ours
      'src/common/input/foreign-json.ts',
      'src/ctl/config.commands.ts', // the operator's
      'src/instance/openapi/examples.ts', // files of the project
      'src/platform/embedded/embedded-program.ts',
      'src/platform/env/env.ts',
      'src/platform/logs/log-censor.ts', // lines of our log
      'src/platform/logs/source-mapped.ts', // source maps of the build
      'src/platform/media/ffmpeg.ts', // the answer of ffprobe
      'src/platform/redis/broadcasts.ts', // messages of our processes, through PostgreSQL
      'src/platform/redis/redis.bus.ts', // messages of our processes
      'src/sign-in/captcha/captcha.service.ts', // sealed by ourselves
      'src/statuses/rendering/status-body.cache.ts', // ours
    ]);
  });

  it('walks whole tables by jobs of a queue of their own, for which no others wait', () => {
    const recurring = sources('src').flatMap((file) => [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(/@Recurs\(([^)]*)\)\s+(?:async )?\w+\(.*?\n {2}\}/gs),
    ]);
    const walking = recurring.filter(([code]) => /walkSlices\(/.test(code)).map(([, declared]) => declared!);
    expect(walking.length).toBeGreaterThan(3);
    expect(walking.filter((declared) => !declared.includes(`queue: 'upkeep'`))).toEqual([]);
  });

  it('lists every entity once, each with a table of its own', async () => {
    const { entities } = await import('../../src/app.entities.js');
    const files = sources('src').filter((file) => /\.(entity|entities)\.ts$/.test(file));
    for (const file of files) await import(join(ROOT, file));
    const { tables } = getMetadataArgsStorage();
    const names = (classes: readonly unknown[]) => classes.map((each) => (each as { name: string }).name).sort();
    expect(names(entities)).toEqual(names(tables.map(({ target }) => target)));
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tables.length);
  });

  it('runs every migration, in order', async () => {
    const { migrations } = await import('../../src/migrations/index.js');
    const files = sources('src/migrations').filter((name) => /\/\d+-/.test(name));
    expect(migrations).toHaveLength(files.length);
    const names = migrations.map((migration) => new migration().name);
    expect(names).toEqual([...names].sort((a, b) => Number(a.slice(-13)) - Number(b.slice(-13))));
  });
});
