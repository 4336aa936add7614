import { account } from './fr/account.js';
import { app } from './fr/app.js';
import { authorize } from './fr/authorize.js';
import { compose } from './fr/compose.js';
import { log } from './fr/log.js';
import { mail } from './fr/mail.js';
import { online } from './fr/online.js';
import { people } from './fr/people.js';
import { queues } from './fr/queues.js';
import { signIn } from './fr/sign-in.js';
import { start } from './fr/start.js';
import { social } from './fr/social.js';
import { staff } from './fr/staff.js';
import { staffServer } from './fr/staff-server.js';
import { visitors } from './fr/visitors.js';
import type { Messages } from './messages.js';

/** The messages in French. */
export const fr: Messages = {
  ...account,
  ...app,
  ...authorize,
  ...compose,
  ...log,
  ...mail,
  ...online,
  ...people,
  ...queues,
  ...signIn,
  ...start,
  ...social,
  ...staff,
  ...staffServer,
  ...visitors,
};
