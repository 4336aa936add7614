import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Scratch } from './scratch.js';

const program = (name: string) => fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));

/** Tells at the end of a program whether Node holds compiled code that it has read. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { getCompileCacheDir } from 'node:module';
  process.on('exit', () => console.log('CACHE ' + (getCompileCacheDir() !== undefined)));`)}`;

const scratch = new Scratch();
afterAll(() => scratch.remove());

describe('the memory of a program', () => {
  it('ADR 18 of the server has no compiled code of files, which Node would hold until the end', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const server = scratch.run(process.execPath, ['--import', WATCH, program('main')], {
      env: { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    });
    await server.url();
    expect(await server.stop()).toBe(0);
    expect(server.text).toContain('CACHE false');
  });

  it('ADR 18 of an operator command has it, since commands start often and end soon', () => {
    const { stdout } = spawnSync(process.execPath, ['--import', WATCH, program('ctl'), 'help'], { encoding: 'utf8' });
    expect(stdout).toContain('CACHE true');
  });
});
