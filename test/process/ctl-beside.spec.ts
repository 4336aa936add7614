import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCtlProcess } from '../support/servers/ctl.js';
import { S3Server } from '../support/servers/s3.js';
import { useStarted } from '../support/servers/use.js';
import { Scratch } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const scratch = new Scratch();
afterAll(() => scratch.remove());

const dataDir = scratch.dataDir();
const key = 'ab'.repeat(32);
const s3 = useStarted(() => S3Server.start());
const start = (env: Record<string, string> = {}) =>
  scratch.run(process.execPath, [MAIN], {
    env: { DATA_DIR: dataDir, SECRET_KEY: key, PORT: '0', LOG_LEVEL: 'error', ...env },
  });
const set = (value: string) =>
  runCtlProcess({ DATA_DIR: dataDir, SECRET_KEY: key }, 'config', 'set', 'instance.name', value);

it('config set waits until the running server applies the value, and reports when it does not', async () => {
  const server = start();
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

it('media move removes files from the disk only when the running server stores its own in the bucket', async () => {
  const inBucket = s3.env('moved');
  const move = () =>
    runCtlProcess({ DATA_DIR: dataDir, ...inBucket }, 'media', 'move', s3.url('moved'), '--remove-source');
  const onDisk = start();
  await onDisk.url();
  writeFileSync(join(dataDir, 'media/a.png'), 'a');
  expect((await move()).err).toContain('A server still stores its files elsewhere');
  await onDisk.stop();
  const server = start(inBucket);
  await server.url();
  expect((await move()).out).toContain('1 file removed from the source');
  await server.stop();
});
