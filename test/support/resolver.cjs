// Resolves a relative import of './x.js' in TypeScript to './x.ts' under jest; leaves packages alone.
module.exports = (request, options) => {
  if (/^\.{1,2}\/.*\.js$/.test(request) && !options.basedir.includes('node_modules')) {
    try {
      return options.defaultResolver(request.replace(/\.js$/, '.ts'), options);
    } catch {
      /* a real .js file */
    }
  }
  return options.defaultResolver(request, options);
};
