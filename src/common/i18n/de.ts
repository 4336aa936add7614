import { account } from './de/account.js';
import { app } from './de/app.js';
import { authorize } from './de/authorize.js';
import { compose } from './de/compose.js';
import { log } from './de/log.js';
import { mail } from './de/mail.js';
import { online } from './de/online.js';
import { people } from './de/people.js';
import { queues } from './de/queues.js';
import { signIn } from './de/sign-in.js';
import { start } from './de/start.js';
import { social } from './de/social.js';
import { staff } from './de/staff.js';
import { staffServer } from './de/staff-server.js';
import { visitors } from './de/visitors.js';
import type { Messages } from './messages.js';

/** The messages in German. */
export const de: Messages = {
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
