import { account } from './en/account.js';
import { app } from './en/app.js';
import { authorize } from './en/authorize.js';
import { mail } from './en/mail.js';
import { people } from './en/people.js';
import { signIn } from './en/sign-in.js';
import { visitors } from './en/visitors.js';

/** The messages in English. A new message must be added in every language. */
export const en = {
  ...account,
  ...app,
  ...authorize,
  ...mail,
  ...people,
  ...signIn,
  ...visitors,
} as const;
