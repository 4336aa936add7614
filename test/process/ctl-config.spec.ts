import { fileURLToPath } from 'node:url';
import { runCtlProcess } from '../support/servers/ctl.js';
import { Scratch } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const scratch = new Scratch();
afterAll(() => scratch.remove());

const dataDir = scratch.dataDir();
const key = 'ab'.repeat(32);
const set = (value: string) =>
  runCtlProcess({ DATA_DIR: dataDir, SECRET_KEY: key }, 'config', 'set', 'instance.name', value);

it('config set waits until the running server applies the value, and reports when it does not', async () => {
  const env = { DATA_DIR: dataDir, SECRET_KEY: key, PORT: '0', LOG_LEVEL: 'error' };
  const server = scratch.run(process.execPath, [MAIN], { env });
  const url = await server.url();
  for (const name of ['one', 'two']) {
    expect(await set(name)).toEqual({ code: 0, out: `instance.name = "${name}"`, err: '' });
    const { title } = (await (await fetch(`${url}/api/v1/instance`)).json()) as { title: string };
    expect(title).toBe(name);
  }
  server.child.kill('SIGSTOP');
  const unheard = 'Stored, but the running server did not confirm it within 5 s.';
  expect(await set('three')).toEqual({ code: 0, out: `instance.name = "three"\n${unheard}`, err: '' });
  server.child.kill('SIGCONT');
  expect(await server.stop()).toBe(0);
  expect(await set('four')).toEqual({ code: 0, out: 'instance.name = "four"', err: '' });
});
