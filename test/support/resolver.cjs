/** Resolves `./x.js` in a TypeScript file to `./x.ts`, as the build does; for the isolated tests of jest.config.js. */
module.exports = (request, options) => {
  const isOurs = /^\.{1,2}\/.*\.js$/.test(request) && !options.basedir.includes('node_modules');
  if (isOurs) {
    try {
      return options.defaultResolver(request.replace(/\.js$/, '.ts'), options);
    } catch {
      // a file of JavaScript
    }
  }
  return options.defaultResolver(request, options);
};
