import {
  AccountDeletionService,
  type AccountRow,
  SuggestionsService,
  type UserFacts,
  UsersService,
} from '../accounts/index.js';
import { OPERATOR, UserAccessService } from '../admin/index.js';
import { MfaService, PasswordsService } from '../sign-in/index.js';
import { newToken, UnitOfWork } from '../platform/index.js';
import { command, CommandError, EnvironmentError, type Tools, UsageError } from './frame/command.js';
import { logged } from './frame/logged.js';
import { json, JSON_OPTION, valueLines } from './frame/output.js';
import { NICKNAME, requireAccount } from './frame/require.js';

const GENERATED_LENGTH = 20;

const create = command({
  words: 'user create',
  summary: 'Makes a local account. Asks for a password, or makes one up and shows it once.',
  parameters: { nickname: NICKNAME },
  options: {
    email: { type: 'string', help: 'The e-mail address; it counts as confirmed.' },
    password: { type: 'string', help: 'The password, at least 8 characters; better typed when it is asked for.' },
    admin: { type: 'boolean', help: 'The account administers the server.' },
    moderator: { type: 'boolean', help: 'The account moderates the server.' },
    'new-address': { type: 'boolean', help: 'Also under another BASE_URL than that of the newest account.' },
  },
  example: 'user create alice --email alice@mail.example --admin',
  run: async (tools, { nickname }, { email, password: given, admin = false, moderator = false, ...options }) => {
    const services = await tools.services();
    const users = services.get(UsersService);
    if (!options['new-address']) await requireKnownAddress(users);
    const password = await choosePassword(tools, given);
    await services.get(UnitOfWork).run(async () => {
      const account = await users.create({ nickname, email, password: password.text });
      const roles = [...(admin ? ['admin'] : []), ...(moderator ? ['moderator'] : [])];
      if (roles.length > 0) await users.setRole(account.id, { isAdmin: admin, isModerator: moderator });
      await logged(services, 'create', account, () => Promise.resolve(), { roles });
    });
    tools.print(`The account ${nickname} was created.${password.notice}`);
  },
});

const show = command({
  words: 'user show',
  summary: 'Shows a local account.',
  parameters: { nickname: NICKNAME },
  options: { json: JSON_OPTION },
  example: 'user show alice',
  run: async (tools, { nickname }, options) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const summary = describe(account, await services.get(UsersService).facts(account.id));
    if (options.json) tools.print(json(summary));
    else tools.print(...valueLines(summary));
  },
});

const resetPassword = command({
  words: 'user reset-password',
  summary:
    'Gives a local account another password and ends its sign-ins. Asks for it, or makes one up and shows it once.',
  parameters: { nickname: NICKNAME },
  options: { password: { type: 'string', help: 'The new password, at least 8 characters.' } },
  example: 'user reset-password alice',
  run: async (tools, { nickname }, { password: given }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const password = await choosePassword(tools, given);
    const passwords = services.get(PasswordsService);
    await logged(services, 'reset_password', account, () => passwords.reset(account.id, password.text));
    tools.print(`The account ${nickname} has a new password.${password.notice}`);
  },
});

const resetLink = command({
  words: 'user reset-link',
  summary: 'Makes a link with which the owner of a local account sets a new password, once and within a day.',
  parameters: { nickname: NICKNAME },
  example: 'user reset-link alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    tools.print((await services.get(UserAccessService).resetLink(OPERATOR, account.nickname)).link);
  },
});

const forceReset = command({
  words: 'user force-reset',
  summary: 'Refuses the sign-ins and apps of a local account until its owner has set a new password.',
  parameters: { nickname: NICKNAME },
  example: 'user force-reset alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    await services.get(UserAccessService).forceReset(OPERATOR, [account.nickname]);
    tools.print(`${nickname} has to set a new password: "user reset-link" makes a link for it.`);
  },
});

const disableMfa = command({
  words: 'user disable-mfa',
  summary:
    'Removes the second factor of a local account: its password is enough then. Its recovery codes are gone too.',
  parameters: { nickname: NICKNAME },
  example: 'user disable-mfa alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    await logged(services, 'disable_mfa', account, async () => {
      if (!(await services.get(MfaService).remove(account.id)))
        throw new CommandError(`${nickname} has no second factor.`);
    });
    tools.print(`The account ${nickname} has no second factor any more.`);
  },
});

const set = command({
  words: 'user set',
  summary: 'Gives or takes roles, activates or deactivates a local account.',
  parameters: { nickname: NICKNAME },
  options: {
    admin: { type: 'boolean', help: 'Whether the account administers the server.', negatable: true },
    moderator: { type: 'boolean', help: 'Whether the account moderates the server.', negatable: true },
    active: { type: 'boolean', help: 'Whether the account can be used and seen.', negatable: true },
  },
  example: 'user set alice --moderator --no-admin',
  run: async (tools, { nickname }, { admin: isAdmin, moderator: isModerator, active }) => {
    const roles = { admin: isAdmin, moderator: isModerator };
    if (isAdmin === undefined && isModerator === undefined && active === undefined)
      throw new UsageError('"user set" needs at least one option.');
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const users = services.get(UsersService);
    await services.get(UnitOfWork).run(async () => {
      for (const [role, on] of Object.entries(roles)) {
        if (on === undefined) continue;
        const change = role === 'admin' ? { isAdmin: on } : { isModerator: on };
        await logged(services, on ? 'grant' : 'revoke', account, () => users.setRole(account.id, change), { role });
      }
      if (active !== undefined)
        await logged(services, active ? 'activate' : 'deactivate', account, () => users.setActive(account.id, active));
    });
    const facts = await users.facts(account.id);
    tools.print(`${nickname}: ${rolesOf(facts)}, ${facts.state}`);
  },
});

const remove = command({
  words: 'user delete',
  summary: 'Deletes a local account and everything it wrote, for good. Its name is never free again.',
  parameters: { nickname: NICKNAME },
  options: { yes: { type: 'boolean', help: 'Delete it; without, only says what would be deleted.' } },
  example: 'user delete alice --yes',
  run: async (tools, { nickname }, { yes = false }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const { statusesCount: posts, followersCount: followers, followingCount: follows } = account;
    const extent = `${posts} posts, ${followers} followers, ${follows} follows`;
    if (!yes) {
      throw new CommandError(
        `Nothing was deleted. With --yes the account ${account.nickname} is deleted for good: its log-in, profile, ${extent}, ` +
          'and all else that it has here. Nobody can have its name again.',
      );
    }
    await logged(services, 'delete', account, () => services.get(AccountDeletionService).delete(account.id));
    tools.print(
      `The account ${account.nickname} was deleted. Jobs of the server now remove what it had here: ${extent} and all else.`,
    );
  },
});

const suggest = command({
  words: 'user suggest',
  summary: 'Suggests to everybody to follow a local account.',
  parameters: { nickname: NICKNAME },
  example: 'user suggest alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const suggestions = services.get(SuggestionsService);
    await logged(services, 'add_suggestion', account, () => suggestions.suggest(account.id));
    tools.print(`${nickname} is suggested.`);
  },
});

const unsuggest = command({
  words: 'user unsuggest',
  summary: 'Takes a local account off the suggestions.',
  parameters: { nickname: NICKNAME },
  example: 'user unsuggest alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const suggestions = services.get(SuggestionsService);
    await logged(services, 'remove_suggestion', account, () => suggestions.unsuggest(account.id));
    tools.print(`${nickname} is not suggested.`);
  },
});

export const userCommands = [
  create,
  show,
  resetPassword,
  resetLink,
  forceReset,
  disableMfa,
  set,
  remove,
  suggest,
  unsuggest,
];

/** Refuses another environment than the server's: other servers could never find the accounts made in it. */
async function requireKnownAddress(users: UsersService): Promise<void> {
  const addresses = await users.baseAddresses();
  if (!addresses || addresses.newest === addresses.configured) return;
  const { newest, configured } = addresses;
  throw new EnvironmentError(
    `The newest account here is under ${newest}, and this one would be under ${configured} for good: ` +
      `set BASE_URL=${newest}, or give --new-address if the server is to be at ${configured} from now on.`,
  );
}

/** A password, and a message about it: a generated one is shown this once. */
interface ChosenPassword {
  readonly text: string;
  readonly notice: string;
}

async function choosePassword(tools: Tools, given: string | undefined): Promise<ChosenPassword> {
  const wanted = given ?? (await tools.askSecret('Password (leave empty to have one made up): '));
  if (wanted) return { text: wanted, notice: '' };
  const text = newToken().slice(0, GENERATED_LENGTH);
  return { text, notice: ` Its password, shown only now: ${text}` };
}

function describe(account: AccountRow, facts: UserFacts) {
  return {
    nickname: account.nickname,
    id: account.id,
    email: facts.email,
    admin: facts.isAdmin,
    moderator: facts.isModerator,
    state: facts.state,
    created_at: account.createdAt,
    statuses: account.statusesCount,
    followers: account.followersCount,
    following: account.followingCount,
    last_status_at: account.lastStatusAt,
  };
}

function rolesOf({ isAdmin, isModerator }: UserFacts): string {
  const roles = [...(isAdmin ? ['admin'] : []), ...(isModerator ? ['moderator'] : [])];
  return roles.join(' and ') || 'no roles';
}
