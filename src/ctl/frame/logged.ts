import { type AccountRow } from '../../accounts/index.js';
import {
  type LogSubject,
  type ModerationAction,
  ModerationLogService,
  OPERATOR,
  subjectOf,
} from '../../admin/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { Services } from './command.js';

type Subject = Pick<AccountRow, 'id' | 'nickname' | 'domain'>;

/** Changes an account in one unit of work with its entry in the moderation log. */
export function logged<T>(
  services: Services,
  action: ModerationAction,
  account: Subject,
  change: () => Promise<T>,
  data?: Readonly<Record<string, unknown>>,
): Promise<T> {
  return loggedOn(services, action, subjectOf(account), change, data);
}

/** Makes a change in one unit of work with its entry in the moderation log. */
export function loggedOn<T>(
  services: Services,
  action: ModerationAction,
  subject: LogSubject,
  change: () => Promise<T>,
  data?: Readonly<Record<string, unknown>>,
): Promise<T> {
  return services.get(UnitOfWork).run(async () => {
    const result = await change();
    await services.get(ModerationLogService).record(OPERATOR, action, subject, data);
    return result;
  });
}
