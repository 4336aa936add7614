const jsc = {
  target: 'es2024',
  keepClassNames: true,
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
};

export default {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  roots: ['<rootDir>/src', '<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  maxWorkers: 2,
  // A worker that has nothing left to do frees a heap of a gigabyte before it is gone: half a second is no leak.
  workerGracefulExitTimeout: 10_000,
  // What a spec file loaded is never freed: a worker that has seen a hundred of them does little but look for memory.
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 90_000,
  transform: {
    '^.+\\.ts$': ['@swc/jest', { swcrc: false, sourceMaps: 'inline', module: { type: 'es6' }, jsc }],
  },
  resolver: '<rootDir>/test/support/resolver.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
