import { InvitesService, type ListedInvite } from '../sign-in/index.js';
import { command, UsageError } from './frame/command.js';
import { columns, json, JSON_OPTION } from './frame/output.js';
import { requireFound } from './frame/require.js';

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
    tools.print((await (await tools.services()).get(InvitesService).create(limits)).url);
  },
});

const list = command({
  words: 'invite list',
  summary: 'Lists invites, the newest first.',
  options: { json: JSON_OPTION },
  example: 'invite list',
  run: async (tools, _args, options) => {
    const invites = await (await tools.services()).get(InvitesService).list();
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
    const invites = (await tools.services()).get(InvitesService);
    await requireFound('such invite', invites.revoke(token));
    tools.print('The invite was revoked.');
  },
});

export const inviteCommands = [create, list, revoke];

function row({ token, type, uses, maxUse, expiresAt, used }: ListedInvite): string[] {
  const most = type === 'one_time' ? '1' : (maxUse ?? 'any');
  return [token, `${uses}/${most}`, expiresAt ?? '-', used ? 'ended' : 'ok'];
}
