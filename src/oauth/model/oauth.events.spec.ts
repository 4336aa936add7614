import { expect, it } from 'vitest';
import { TokenRenewed } from './oauth.events.js';

it('the event of a renewed token refuses to be stored', () => {
  expect(() => JSON.stringify(new TokenRenewed('1', 'a secret'))).toThrow('must not be stored');
});
