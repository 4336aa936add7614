import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { compiler } from './scripts/compiler.mjs';

/** These replace modules or read the state of loaded ones, which all other files of a process share. */
const ISOLATED = [
  'src/common/input/data-uris.spec.ts',
  'src/platform/crypto/passwords.spec.ts',
  'src/platform/logs/log.spec.ts',
  'src/platform/media/storage.spec.ts',
  'test/rules/statements.spec.ts',
];

export default defineConfig({
  plugins: [swc.vite(compiler)],
  test: {
    globalSetup: 'test/support/global-setup.mjs',
    setupFiles: process.env.STOP_AT_FIRST_FAILURE ? 'test/support/first-failure.ts' : [],
    maxWorkers: 2,
    fsModuleCache: true,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    slowTestThreshold: 10_000,
    projects: [
      // A process loads the server once for all its files.
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['{src,test}/**/*.spec.ts'], exclude: ISOLATED },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
  },
});
