// A relative import of './x.js' in a TypeScript source is the file './x.ts' under jest; packages are left alone.
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
