import { AdminInvitesService, OPERATOR } from '../admin/index.js';
import type { InviteRole, ListedInvite } from '../sign-in/index.js';
import { command, UsageError } from './frame/command.js';
import { columns, json, JSON_OPTION } from './frame/output.js';
import { requireFound } from './frame/require.js';

/** Why an invite made now does not help, and what to do. */
const WARNINGS: Readonly<Record<Exclude<InviteRole, 'needed'>, string>> = {
  off:
    'Invites are off, so nobody can sign up with this one. Switch them on: ' +
    'npm run ctl -- config set instance.invites_enabled true',
  unneeded:
    'Everybody may sign up here, so nobody needs this invite. Keep others out: ' +
    'npm run ctl -- config set instance.registrations_open false',
};

const create = command({
  words: 'invite create',
  summary: 'Creates an invite to sign up, and shows its link. Without limits it is for one person.',
  options: {
    'max-use': { type: 'string', help: 'How many people may use it.' },
    'expires-at': { type: 'string', help: 'The last day, such as 2030-12-31.' },
  },
  example: 'invite create --max-use 10 --expires-at 2030-12-31',
  run: async (tools, _args, { 'max-use': maxUse, 'expires-at': expiresAt = null }) => {
    if (maxUse !== undefined && !/^[1-9]\d{0,5}$/.test(maxUse))
      throw new UsageError('The number of people is a whole number from 1 to 999999.');
    const limits = { maxUse: maxUse === undefined ? null : Number(maxUse), expiresAt };
    const invites = (await tools.services()).get(AdminInvitesService);
    tools.print((await invites.create(OPERATOR, limits)).url);
    if (invites.role !== 'needed') tools.warn(WARNINGS[invites.role]);
  },
});

const list = command({
  words: 'invite list',
  summary: 'Lists invites, the newest first.',
  options: { json: JSON_OPTION },
  example: 'invite list',
  run: async (tools, _args, options) => {
    const invites = await (await tools.services()).get(AdminInvitesService).list();
    if (options.json) tools.print(json(invites));
    else if (invites.length === 0) tools.print('There are no invites.');
    else tools.print(...columns([['TOKEN', 'USES', 'LAST DAY', 'STATE'], ...invites.map(row)]));
  },
});

const revoke = command({
  words: 'invite revoke',
  summary: 'Ends an invite.',
  parameters: { token: 'Its token in "invite list"; behind -- if it begins with two dashes.' },
  example: 'invite revoke QSLXr6cLZkSDi6mBvOxWQbzFmWjtZCbE8VxK0dLkqxc',
  run: async (tools, { token }) => {
    const invites = (await tools.services()).get(AdminInvitesService);
    await requireFound('such invite', invites.revoke(OPERATOR, token));
    tools.print('The invite was revoked.');
  },
});

export const inviteCommands = [create, list, revoke];

function row({ token, type, uses, maxUse, expiresAt, used }: ListedInvite): string[] {
  const most = type === 'one_time' ? '1' : (maxUse ?? 'any');
  return [token, `${uses}/${most}`, expiresAt ?? '-', used ? 'ended' : 'ok'];
}
