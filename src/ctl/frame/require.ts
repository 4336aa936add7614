import { type AccountRow, AccountsService } from '../../accounts/index.js';
import { NotFound } from '../../common/index.js';
import { CommandError, type Services } from './command.js';

/** The help text of the argument `nickname`. */
export const NICKNAME = 'The name of the account, without @ and domain.';

/** The local account of a nickname, in any state. */
export async function requireAccount(services: Services, nickname: string): Promise<AccountRow> {
  const account = await services.get(AccountsService).byNickname(nickname);
  if (!account) throw new CommandError(`Nobody here is called ${nickname}.`);
  if (account.deletedAt !== null) throw new CommandError(`The account ${account.nickname} was deleted.`);
  return account;
}

/** Names the missing thing, instead of "Record not found". */
export async function requireFound<T>(thing: string, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (cause) {
    throw cause instanceof NotFound ? new CommandError(`There is no ${thing}.`, { cause }) : cause;
  }
}
