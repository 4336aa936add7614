import { compiler } from './scripts/compiler.mjs';

/** These replace modules or read the state of loaded ones, which all other files of a process share. */
const ISOLATED = [
  'src/common/input/data-uris.spec.ts',
  'src/platform/crypto/passwords.spec.ts',
  'src/platform/logs/log.spec.ts',
  'src/platform/object-store/media-storage.spec.ts',
];
const isolated = ISOLATED.map((path) => `<rootDir>/${path}`);

const common = { testEnvironment: 'node', roots: ['<rootDir>/src', '<rootDir>/test'], slowTestThreshold: 10 };

export default {
  maxWorkers: 3, // one more than the cores of CI: each waits for PostgreSQL, and for the processes that it starts
  watchman: false,
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  projects: [
    // A process loads the server once for all its files (test/support/sources.mjs).
    {
      ...common,
      displayName: 'shared',
      runner: ['jest-light-runner', { runtime: 'child_process' }],
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: isolated,
      setupFilesAfterEnv: ['<rootDir>/test/support/time-limits.mjs'],
    },
    {
      ...common,
      displayName: 'isolated',
      testMatch: isolated,
      extensionsToTreatAsEsm: ['.ts'],
      transform: { '\\.ts$': ['@swc/jest', { ...compiler, sourceMaps: 'inline' }] },
      resolver: '<rootDir>/test/support/resolver.cjs',
      testTimeout: 90_000,
    },
  ],
};
