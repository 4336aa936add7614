import { type AccountFilter, ModeratedAccountsService } from '../accounts/index.js';
import {
  type AdminUserJson,
  AdminUserView,
  OPERATOR,
  UserAccountsService,
  UserModerationService,
} from '../admin/index.js';
import { command, CommandError, type Services, type Tools, UsageError } from './frame/command.js';
import { columns, json, JSON_OPTION, valueLines } from './frame/output.js';
import { requireFound } from './frame/require.js';

const ACCOUNT = 'Its name here, its name on another server (bob@far.example), or its id.';
const SHOWN = 50;
const MOST_SHOWN = 1_000;

const search = command({
  words: 'account search',
  summary: 'Lists accounts of this and of other servers, the newest first.',
  options: {
    query: { type: 'string', help: 'A part of the name, a server, or both as bob@far.example.' },
    email: { type: 'string', help: 'A part of the e-mail address.' },
    tag: { type: 'string', help: 'A tag that they have, such as mrf_tag:sandbox.' },
    local: { type: 'boolean', help: 'Those of this server.' },
    remote: { type: 'boolean', help: 'Those of other servers.' },
    deactivated: { type: 'boolean', help: 'Those that are deactivated.' },
    limit: { type: 'string', help: `How many at most, ${SHOWN} without.` },
    json: JSON_OPTION,
  },
  example: 'account search --remote --query far.example',
  run: async (tools, _args, { limit = String(SHOWN), json: asJson, query = '', email = '', tag, ...flags }) => {
    if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MOST_SHOWN)
      throw new UsageError(`The limit is a whole number from 1 to ${MOST_SHOWN}.`);
    const services = await tools.services();
    const wanted = { query, email, tags: tag === undefined ? [] : [tag], filters: filtersOf(flags) };
    const { accounts, count } = await services.get(ModeratedAccountsService).page(wanted, Number(limit), 0);
    const found = accounts.map((row) => services.get(AdminUserView).one(row));
    if (asJson) tools.print(json(found));
    else if (found.length === 0) tools.print('No such accounts.');
    else tools.print(...columns([['NAME', 'CREATED', 'STATE', 'TAGS'], ...found.map(row)]));
    if (count > found.length) tools.warn(`${count - found.length} more: --limit shows up to ${MOST_SHOWN}.`);
  },
});

const show = command({
  words: 'account show',
  summary: 'Shows an account of this or of another server.',
  parameters: { account: ACCOUNT },
  options: { json: JSON_OPTION },
  example: 'account show bob@far.example',
  run: async (tools, { account }, options) => {
    const found = await requireKnown(await tools.services(), account);
    if (options.json) tools.print(json(found));
    else tools.print(...valueLines(factsOf(found)));
  },
});

const deactivate = activation('deactivate', 'Suspends an account: nobody sees it, and it can do nothing here.', false);
const activate = activation('activate', 'Ends the suspension of an account.', true);

const tag = tagging(
  'tag',
  'Adds a tag. mrf_tag:force-unlisted silences (public posts become unlisted), mrf_tag:sandbox lets followers alone see ' +
    'posts, mrf_tag:media-strip and mrf_tag:media-force-nsfw remove or cover files; other words are labels.',
  true,
);
const untag = tagging('untag', 'Removes a tag, and what it restricted.', false);

const remove = command({
  words: 'account delete',
  summary: 'Deletes an account with all of its posts here, for good.',
  parameters: { account: ACCOUNT },
  options: { yes: { type: 'boolean', help: 'Delete it; without, only says what would be deleted.' } },
  example: 'account delete bob@far.example --yes',
  run: async (tools, { account }, { yes = false }) => {
    const services = await tools.services();
    const { nickname } = await requireKnown(services, account);
    if (!yes)
      throw new CommandError(
        `Nothing was deleted. With --yes @${nickname} is deleted for good, with all of its posts here.`,
      );
    await services.get(UserAccountsService).delete(OPERATOR, [nickname]);
    tools.print(`@${nickname} was deleted. Jobs of the server now remove what it had here.`);
  },
});

const follow = following('follow', 'Makes a local account follow another one.', true);
const unfollow = following('unfollow', 'Ends a follow of a local account.', false);

export const accountCommands = [search, show, deactivate, activate, tag, untag, follow, unfollow, remove];

function activation(verb: 'activate' | 'deactivate', summary: string, active: boolean) {
  return command({
    words: `account ${verb}`,
    summary,
    parameters: { account: ACCOUNT },
    example: `account ${verb} bob@far.example`,
    run: async (tools, { account }) => {
      const services = await tools.services();
      const { nickname } = await requireKnown(services, account);
      await services.get(UserModerationService).setActive(OPERATOR, [nickname], active);
      tools.print(`@${nickname} is ${active ? 'active' : 'deactivated'}.`);
    },
  });
}

function tagging(verb: 'tag' | 'untag', summary: string, on: boolean) {
  return command({
    words: `account ${verb}`,
    summary,
    parameters: { account: ACCOUNT, tag: 'The tag.' },
    example: `account ${verb} bob@far.example mrf_tag:force-unlisted`,
    run: async (tools, args) => {
      const services = await tools.services();
      const { nickname } = await requireKnown(services, args.account);
      const [changed] = await services.get(UserModerationService).setTags(OPERATOR, [nickname], [args.tag], on);
      tools.print(`@${nickname}: ${changed?.tags.join(', ') || 'no tags'}`);
    },
  });
}

function following(verb: 'follow' | 'unfollow', summary: string, on: boolean) {
  return command({
    words: `account ${verb}`,
    summary,
    parameters: { follower: 'The name of the local account.', account: ACCOUNT },
    example: `account ${verb} alice bob@far.example`,
    run: (tools, args) => changeFollow(tools, args, on),
  });
}

async function changeFollow(tools: Tools, names: { follower: string; account: string }, on: boolean): Promise<void> {
  const services = await tools.services();
  const [follower, followed] = [
    await requireKnown(services, names.follower),
    await requireKnown(services, names.account),
  ];
  if (!follower.local) throw new CommandError(`@${follower.nickname} is on another server.`);
  await services.get(UserAccountsService).setFollow(OPERATOR, follower.nickname, followed.nickname, on);
  tools.print(`@${follower.nickname} ${on ? 'follows, or asks to follow,' : 'does not follow'} @${followed.nickname}.`);
}

async function requireKnown(services: Services, account: string): Promise<AdminUserJson> {
  const found = await requireFound(`account ${account} here`, services.get(ModeratedAccountsService).named(account));
  return services.get(AdminUserView).one(found);
}

function filtersOf(flags: { local?: boolean; remote?: boolean; deactivated?: boolean }): AccountFilter[] {
  return [
    ...(flags.local ? (['local'] as const) : []),
    ...(flags.remote ? (['external'] as const) : []),
    ...(flags.deactivated ? (['deactivated'] as const) : []),
  ];
}

function statesOf(account: AdminUserJson): string {
  const states = [
    ...(account.deactivated ? ['deactivated'] : []),
    ...(account.approval_pending ? ['pending'] : []),
    ...(account.confirmation_pending ? ['unconfirmed'] : []),
  ];
  return states.join(',') || 'ok';
}

function row(account: AdminUserJson): string[] {
  return [account.nickname, account.created_at.slice(0, 10), statesOf(account), account.tags.join(',') || '-'];
}

function factsOf(account: AdminUserJson) {
  const { admin, moderator } = account.roles;
  return {
    name: account.nickname,
    id: account.id,
    display_name: account.display_name,
    local: account.local,
    state: statesOf(account),
    roles: [...(admin ? ['admin'] : []), ...(moderator ? ['moderator'] : [])].join(', ') || null,
    tags: account.tags.join(', ') || null,
    suggested: account.is_suggested,
    email: account.email,
    reason: account.registration_reason || null,
    created_at: account.created_at,
    url: account.url,
  };
}
