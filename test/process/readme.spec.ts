import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../support/servers/free-port.js';
import { Scratch } from './scratch.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ADDRESS = 'http://localhost:4000';

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** The snippet of README.md that talks to a server by hand. */
function snippet(): string {
  const blocks = readFileSync(`${ROOT}README.md`, 'utf8').matchAll(/```sh\n(.*?)```/gs);
  return [...blocks].map(([, text = '']) => text).find((text) => text.includes(`BASE=${ADDRESS}\n`)) ?? '';
}

it('the snippet of the README makes an account, posts and reads when it is pasted beside a fresh server', async () => {
  const env = { DATA_DIR: scratch.dataDir(), PORT: String(await freePort()) };
  const server = scratch.run(process.execPath, ['dist/main.js'], { cwd: ROOT, env });
  await server.line(/ is ready at /);
  const pasted = snippet().replace(ADDRESS, `http://localhost:${env.PORT}`);
  const { stdout } = await promisify(execFile)('sh', ['-c', pasted], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  const [post, home] = JSON.parse(`[${stdout.replace('}[', '},[')}]`) as [{ id: string; content: string }, object[]];
  expect(post.content).toMatch(/^<p>Hello, .*#/);
  expect(home).toEqual([expect.objectContaining({ id: post.id })]);
  expect(await server.stop()).toBe(0);
});
