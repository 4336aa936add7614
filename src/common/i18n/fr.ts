import { account } from './fr/account.js';
import { app } from './fr/app.js';
import { authorize } from './fr/authorize.js';
import { mail } from './fr/mail.js';
import { people } from './fr/people.js';
import { signIn } from './fr/sign-in.js';
import { visitors } from './fr/visitors.js';
import type { Messages } from './messages.js';

/** The messages in French. */
export const fr: Messages = {
  ...account,
  ...app,
  ...authorize,
  ...mail,
  ...people,
  ...signIn,
  ...visitors,
};
