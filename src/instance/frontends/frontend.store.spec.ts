import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FrontendStore } from './frontend.store.js';

const BUILD = { name: 'tea', ref: 'v1' };

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-frontends-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

it('puts builds of one version in place that are installed at once, and one of them stays whole', async () => {
  const store = new FrontendStore({ dataDir });
  await store.onModuleInit();
  const put = (text: string) => store.put(BUILD, new Map([['index.html', () => Promise.resolve(Buffer.from(text))]]));
  await Promise.all(Array.from({ length: 16 }, (_, n) => put(`build ${n}`)));
  expect(await store.index(BUILD)).toMatch(/^build \d+$/);
  expect(await readdir(join(dataDir, 'frontends', '.drafts'))).toEqual([]);
});

it('puts the former build back when the new one cannot take its place', async () => {
  const store = new FrontendStore({ dataDir });
  await store.onModuleInit();
  await store.put(BUILD, new Map([['index.html', () => Promise.resolve(Buffer.from('former'))]]));
  await expect(store.put(BUILD, new Map())).rejects.toThrow('ENOENT'); // the draft has no folder
  expect(await store.index(BUILD)).toBe('former');
});
