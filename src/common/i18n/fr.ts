import { account } from './fr/account.js';
import { app } from './fr/app.js';
import { authorize } from './fr/authorize.js';
import { mail } from './fr/mail.js';
import { signIn } from './fr/sign-in.js';
import { staff } from './fr/staff.js';
import { staffServer } from './fr/staff-server.js';
import { visitors } from './fr/visitors.js';
import type { Messages } from './messages.js';

/** The messages in French. */
export const fr: Messages = {
  ...account,
  ...app,
  ...authorize,
  ...mail,
  ...signIn,
  ...staff,
  ...staffServer,
  ...visitors,
};
