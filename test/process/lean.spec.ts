import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { Scratch } from './scratch.js';

const BUILT = new URL('../../dist/', import.meta.url);
const program = (name: string) => fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));

/** What takes megabytes and is loaded where it is used, or never. A new import at the head of a file loads it again. */
const NOT_AT_REST = [
  'node_modules/@node-rs/argon2', // the first password
  'node_modules/bull/', // several processes
  'node_modules/file-type/', // the first upload
  'node_modules/ioredis/',
  'node_modules/htmlparser2/', // the first page of another server, or HTML to clean
  'node_modules/libphonenumber-js/', // never
  'node_modules/markdown-it/', // the first post in Markdown
  'node_modules/multer/lib/', // never
  'node_modules/nodemailer/', // the first mail
  'node_modules/postcss/', // never
  'node_modules/sanitize-html/',
  'node_modules/sharp/', // a process of its own
  'node_modules/typebox/', // never: src/common/answers/type.ts makes the schemas
  'node_modules/typeorm/driver/mongodb/', // never, as those of all other databases
  'node_modules/typeorm/driver/sap/',
  'node_modules/undici/', // the first request to another server
  'node_modules/validator/', // never
  'node_modules/web-push/', // the first push
  'node_modules/yazl/', // the first archive
  'node:internal/deps/undici', // never: src/lean.ts
  'node:internal/http2/core',
] as const;

const scratch = new Scratch();
afterAll(() => scratch.remove());

it('loads no heavy library before there is use for it', async () => {
  const env = { DATA_DIR: await scratch.stoppedDatabase(), PORT: '0', LOG_LEVEL: 'error' };
  const main = fileURLToPath(new URL('main.js', BUILT));
  const first = scratch.run(process.execPath, [main], { env }); // makes the first account, with a password
  await first.line(/ is ready at /);
  await first.stop();
  const server = scratch.run(process.execPath, ['--import', program('loaded'), main], { env });
  const url = / (http:\S+)/.exec(await server.line(/ is ready at /))?.[1] ?? '';
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  server.child.kill('SIGUSR2');
  await server.line(/^LOADED ALL$/);
  await server.stop();

  const loaded = server.lines.filter((line) => line.startsWith('LOADED '));
  expect(loaded.some((line) => line.includes('node_modules/typeorm/driver/postgres/'))).toBe(true); // it sees them
  expect(loaded.some((line) => line.includes('node_modules/@nestjs/core/'))).toBe(true);
  expect(NOT_AT_REST.filter((path) => loaded.some((line) => line.includes(path)))).toEqual([]);
});

it('uses the libraries of which it loads a part as if all of them were there', async () => {
  const parts = scratch.run(process.execPath, [program('parts')]);
  expect(await parts.ended).toBe(0);
  expect(parts.lines.slice(0, -1)).toEqual([
    'outbound [200,"svc 1; http://here.test"]',
    'metrics "things_total 1"',
    'counts 2',
    'html "<p>a</p>"',
    'markdown "<p><em>a</em></p>"',
    'input "a"',
    'refusal "text is missing"',
  ]);
  expect(parts.lines.at(-1)).toMatch(/\d{2}.*a line of Nest/);
});

it('names the sources in the stack of an error', async () => {
  const env = fileURLToPath(new URL('platform/env.js', BUILT));
  const text = `
    const { showSources } = await import(${JSON.stringify(new URL('source-maps.js', BUILT).href)});
    const { readEnv } = await import(${JSON.stringify(pathToFileURL(env).href)});
    showSources();
    try { readEnv({ PORT: 'http' }) } catch (error) { console.log(error.stack) }`;
  const failing = scratch.run(process.execPath, ['--input-type=module', '-e', text]);
  expect(await failing.ended).toBe(0);
  expect(failing.text).toContain('PORT: expected a number from 0 to 65535');
  expect(failing.text).toMatch(/^ {4}at readEnv \(file:\/\/\S+\/src\/platform\/env\.ts:\d+:\d+\)$/m);
});

it('gives back what a start leaves behind', async () => {
  const text = `
    const { tidyUp } = await import(${JSON.stringify(new URL('tidy.js', BUILT).href)});
    let left = Array.from({ length: 500_000 }, (_, at) => ({ at }));
    left = undefined;
    const before = process.memoryUsage().heapTotal;
    await tidyUp();
    console.log(before - process.memoryUsage().heapTotal, typeof gc)`;
  const tidying = scratch.run(process.execPath, ['--input-type=module', '-e', text]);
  expect(await tidying.ended).toBe(0);
  const [bytes, gc] = tidying.text.split(' ');
  expect(Number(bytes)).toBeGreaterThan(10_000_000);
  expect(gc).toBe('undefined');
});
