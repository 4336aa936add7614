import { mastoMethods } from './methods.js';
import { listedMethods } from './listed.js';

it('every method of the library masto is called by a test, or is left out for a reason', () => {
  const listed = listedMethods();
  expect(listed.map(({ method }) => method)).toEqual(mastoMethods());
  for (const { method, where } of listed)
    expect(`${method} ${where}`).toMatch(/ (?:[\w-]+\.spec\.ts|planned|no: .{10,})$/);
  const [called, planned] = [/\.spec\.ts$/, /^planned$/].map((kind) => listed.filter(({ where }) => kind.test(where)));
  console.log(
    `masto: ${listed.length} methods, ${called!.length} called, ${planned!.length} not yet, the rest not in scope`,
  );
});
