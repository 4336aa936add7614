import { TokenRenewed } from './oauth.events.js';

it('refuses to store the event of a renewed token', () => {
  expect(() => JSON.stringify(new TokenRenewed('1', 'a secret'))).toThrow('must not be stored');
});
