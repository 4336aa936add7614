// Loaded before the tests (`node --import`): Node compiles the TypeScript of the project as the build does, and keeps the result.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, setSourceMapsSupport } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';
import { compiler } from '../../scripts/compiler.mjs';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tests', import.meta.url));
const options = { ...compiler, sourceMaps: 'inline', inlineSourcesContent: false };
const FORMAT = JSON.stringify([version, options]);

mkdirSync(CACHE, { recursive: true });

/** The path of a TypeScript file without the query that the runner adds, so that each run of a test file is a module of its own. */
const typescript = (url) => (/^file:[^?]*\.ts(\?|$)/.test(url) ? fileURLToPath(url.split('?', 1)[0]) : undefined);

/** TypeScript names the files that it imports as the build will: `./x.js` is `./x.ts`. */
function resolve(specifier, context, next) {
  const isOurs = /^\.{1,2}\/.*\.js$/.test(specifier) && typescript(context.parentURL ?? '');
  if (!isOurs) return next(specifier, context);
  const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
  return existsSync(url) ? { url: url.href, format: 'module', shortCircuit: true } : next(specifier, context);
}

function load(url, context, next) {
  const path = typescript(url);
  return path ? { format: 'module', source: compiled(path), shortCircuit: true } : next(url, context);
}

/** The compiled text of a file: read, if this content was compiled before. */
function compiled(path) {
  const text = readFileSync(path, 'utf8');
  const name = basename(path);
  const file = join(CACHE, `${createHash('sha1').update(`${FORMAT}\0${name}\0`).update(text).digest('hex')}.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { code } = transformSync(text, { ...options, filename: path, sourceFileName: name });
  writeFileSync(`${file}.${process.pid}`, code);
  renameSync(`${file}.${process.pid}`, file);
  return code;
}

setSourceMapsSupport(true, { nodeModules: false });
registerHooks({ resolve, load });

// The runner sends its configuration to all workers when the first of them asks for it. One that starts more slowly has
// nobody to receive it yet, and would wait for ever: it is passed on to who listens later.
if (process.env.TINYPOOL_WORKER_ID !== undefined) {
  let configuration;
  const remember = (message) => {
    if (message?.type === 'jest-light-runner-worker-data') configuration = message;
  };
  process.on('newListener', (event, listener) => {
    if (event !== 'message' || listener === remember) return;
    if (!process.listeners('message').includes(remember)) process.on('message', remember);
    else if (configuration) process.nextTick(() => process.emit('message', configuration));
  });
}
