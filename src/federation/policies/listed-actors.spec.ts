import { ListedActors } from './listed-actors.js';

const actors = ListedActors.in(['https://FAR.Example/users/Mo', 'https://bücher.example:8443/@ann']);

it.each([
  ['https://far.example/users/Mo', true],
  ['https://FAR.example/users/Mo', true],
  ['https://xn--bcher-kva.example:8443/@ann', true],
  ['https://far.example/users/mo', false],
  ['https://xn--bcher-kva.example/@ann', false],
  ['no address', false],
])('the settings that name actors name %s: %s', (uri, isNamed) => {
  expect(actors.has(uri)).toBe(isNamed);
});

it('the settings that name actors name their hosts', () => {
  expect(
    ['far.example', 'xn--bcher-kva.example:8443', 'near.example', ''].map((host) => actors.hasAnyOf([host])),
  ).toEqual([true, true, false, false]);
});
