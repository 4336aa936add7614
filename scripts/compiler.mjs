/** How sources are compiled, for the build and the tests alike: other compilers write other metadata for decorators. */
export const compiler = {
  swcrc: false,
  configFile: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2024',
    externalHelpers: true, // else each module with a decorator has copies of them
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};
