import { account } from './en/account.js';
import { app } from './en/app.js';
import { authorize } from './en/authorize.js';
import { compose } from './en/compose.js';
import { log } from './en/log.js';
import { mail } from './en/mail.js';
import { online } from './en/online.js';
import { people } from './en/people.js';
import { queues } from './en/queues.js';
import { signIn } from './en/sign-in.js';
import { start } from './en/start.js';
import { social } from './en/social.js';
import { staff } from './en/staff.js';
import { staffServer } from './en/staff-server.js';
import { visitors } from './en/visitors.js';

/** The messages in English. A new message must be added in every language. */
export const en = {
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
} as const;
