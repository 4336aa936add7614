import { account } from './de/account.js';
import { app } from './de/app.js';
import { authorize } from './de/authorize.js';
import { mail } from './de/mail.js';
import { people } from './de/people.js';
import { signIn } from './de/sign-in.js';
import { visitors } from './de/visitors.js';
import type { Messages } from './messages.js';

/** The messages in German. */
export const de: Messages = {
  ...account,
  ...app,
  ...authorize,
  ...mail,
  ...people,
  ...signIn,
  ...visitors,
};
