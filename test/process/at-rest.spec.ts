import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Scratch } from './scratch.js';

const program = (name: string) => fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));

/** Tells at the end of a program whether Node holds compiled code and source maps that it has read. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { getCompileCacheDir, getSourceMapsSupport } from 'node:module';
  process.on('exit', () => {
    console.log('CODE ' + (getCompileCacheDir() !== undefined));
    console.log('MAPS ' + getSourceMapsSupport().enabled);
  });`)}`;

/** Makes one look of the idle collector fail: the first is part of the start. */
const breaking = (look: number) =>
  `data:text/javascript,${encodeURIComponent(`
  const { setInterval } = globalThis;
  globalThis.setInterval = (work, ms, ...rest) => setInterval(work, ms === 10_000 ? 10 : ms, ...rest);
  const { cpuUsage } = process;
  let looks = 0;
  process.cpuUsage = (...values) => {
    looks += 1;
    if (looks === ${look}) throw new Error('No clock', { cause: 'broken' });
    return cpuUsage(...values);
  };`)}`;

/** Makes a public check of health fail once. */
const FAILING_CHECK = `data:text/javascript,${encodeURIComponent(`
  const { rss } = process.memoryUsage;
  process.memoryUsage.rss = () => {
    process.memoryUsage.rss = rss;
    throw new Error('No memory');
  };`)}`;

const scratch = new Scratch();
afterAll(() => scratch.remove());

const start = async (hook: string) =>
  scratch.run(process.execPath, ['--import', hook, program('main')], {
    env: {
      DATA_DIR: await scratch.stoppedDatabase(),
      PORT: '0',
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: undefined, // as operators start it
    },
  });

describe('the memory of a program', () => {
  it('ADR 18 of the server has no compiled code and no maps of files, which Node would hold until the end', async () => {
    const server = await start(WATCH);
    await server.url();
    expect(await server.stop()).toBe(0);
    expect(server.text).toContain('CODE false\nMAPS false');
  });

  it('ADR 18 of an operator command has both, since commands start often and end soon', () => {
    const { stdout } = spawnSync(process.execPath, ['--import', WATCH, program('ctl'), 'help'], { encoding: 'utf8' });
    expect(stdout).toContain('CODE true\nMAPS true');
  });
});

describe('the first error of a server names our sources', () => {
  const COLLECTOR = /\/src\/platform\/memory\/idle-collector\.ts:\d+:\d+/;

  it('when it ends the start', async () => {
    const server = await start(breaking(1));
    expect(await server.ended).toBe(1);
    expect(server.text).toMatch(COLLECTOR);
    expect(server.text).not.toMatch(/dist\/.*\.js:\d/);
  });

  it('when nobody caught it', async () => {
    const server = await start(breaking(2));
    expect(await server.ended).toBe(1);
    expect(server.text).toMatch(COLLECTOR);
    expect(server.text).toContain("[cause]: 'broken'");
  });

  it('when a request failed', async () => {
    const server = await start(FAILING_CHECK);
    const answer = await fetch(`${await server.url()}/api/v1/svc/healthcheck`);
    expect(answer.status).toBe(500);
    const line = await server.line(/request failed/);
    expect(line).toMatch(/\/src\/instance\/health\/healthcheck\.service\.ts:\d+:\d+/);
    expect(await server.stop()).toBe(0);
  });
});
