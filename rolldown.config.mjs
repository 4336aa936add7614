import { transform } from '@swc/core';
import { defineConfig } from 'rolldown';
import { compiler } from './scripts/compiler.mjs';

const PROGRAMS = [
  'main',
  'ctl',
  'common/text/workers/text.worker',
  'platform/media/images.worker',
  'platform/media/picture-parts',
];

/** What scripts, benchmarks and tests import of the built server. */
const PARTS = [
  'accounts/moderation/moderated-account.repository',
  'admin/log/moderation-log.repository',
  'app.module',
  'common/index',
  'common/input/moment',
  'config/index',
  'ctl/setup/examples',
  'federation/signatures/request-signer',
  'media/storage/media-urls',
  'migrate',
  'platform/database/database-lease',
  'platform/embedded/embedded',
  'platform/index',
  'streaming/index',
];

const input = Object.fromEntries([
  ...PROGRAMS.map((path) => [path.split('/').at(-1), `src/${path}.ts`]),
  ...PARTS.map((path) => [path.replaceAll('/', '.'), `src/${path}.ts`]),
]);

/** Packages stay where npm installs them, except typebox, which has hundreds of modules, and helpers of swc (docs/adr/0026). */
const isExternal = (id) => /^[^./]/.test(id) && !/^(typebox|@swc\/helpers)(\/|$)/.test(id);

/** Compiles our TypeScript by swc. */
const swc = {
  name: 'swc',
  transform: {
    filter: { id: { include: /\.ts$/, exclude: /node_modules/ } },
    handler: async (code, filename) => {
      const compiled = await transform(code, { ...compiler, filename, sourceMaps: true });
      return { code: compiled.code, map: compiled.map };
    },
  },
};

export default defineConfig({
  input,
  platform: 'node',
  tsconfig: false,
  external: isExternal,
  plugins: [swc],
  transform: { target: 'esnext' }, // swc has compiled it for our Node
  output: {
    dir: 'dist',
    cleanDir: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
    keepNames: true,
    comments: false,
    charset: 'ascii', // V8 holds a text with other characters in two bytes each
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    chunkFileNames: '[name]-[hash].js',
  },
});
