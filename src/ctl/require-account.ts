import { type AccountRow, AccountsService } from '../accounts/index.js';
import { CommandError, type Services } from './command.js';

/** What the argument `nickname` is, for the help. */
export const NICKNAME = 'The name of the account, without @ and domain.';

/** The local account of a nickname, whatever its state. */
export async function requireAccount(services: Services, nickname: string): Promise<AccountRow> {
  const account = await services.get(AccountsService).byNickname(nickname);
  if (!account) throw new CommandError(`Nobody here is called ${nickname}.`);
  if (account.deleted_at !== null) throw new CommandError(`The account ${account.nickname} was deleted.`);
  return account;
}
