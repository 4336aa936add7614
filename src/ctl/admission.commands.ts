import { type ListedUser, UserAdmissionService, UsersService } from '../accounts/index.js';
import { OPERATOR, UserModerationService } from '../admin/index.js';
import { command, CommandError, UsageError } from './frame/command.js';
import { logged } from './frame/logged.js';
import { columns, JSON_OPTION, rowsAsJson } from './frame/output.js';
import { NICKNAME, requireAccount } from './frame/require.js';

const SHOWN = 100;
const MOST_SHOWN = 10_000;

const list = command({
  words: 'user list',
  summary: 'Lists local accounts, the newest first.',
  options: {
    pending: { type: 'boolean', help: 'Those that wait for approval.' },
    unconfirmed: { type: 'boolean', help: 'Those whose e-mail address is not confirmed.' },
    deactivated: { type: 'boolean', help: 'Those that are deactivated.' },
    staff: { type: 'boolean', help: 'Administrators and moderators.' },
    query: { type: 'string', help: 'A part of the nickname or of the e-mail address.' },
    limit: { type: 'string', help: `How many at most, ${SHOWN} without.` },
    json: JSON_OPTION,
  },
  example: 'user list --pending --limit 20',
  run: async (tools, _args, { limit = String(SHOWN), json: asJson, ...filter }) => {
    if (!/^[1-9]\d{0,4}$/.test(limit) || Number(limit) > MOST_SHOWN)
      throw new UsageError(`The limit is a whole number from 1 to ${MOST_SHOWN}.`);
    const users = await (await tools.services()).get(UserAdmissionService).list({ ...filter, limit: Number(limit) });
    if (asJson) tools.print(rowsAsJson(users));
    else if (users.length === 0) tools.print('No such accounts.');
    else tools.print(...columns([['NICKNAME', 'CREATED', 'STATE', 'ROLES', 'EMAIL', 'REASON'], ...users.map(row)]));
  },
});

const approve = command({
  words: 'user approve',
  summary: 'Lets in an account that waits for approval.',
  parameters: { nickname: NICKNAME },
  example: 'user approve alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const admission = services.get(UserAdmissionService);
    const isNew = await logged(services, 'approve', account, () => admission.approve(account.id));
    const { confirmed } = await services.get(UsersService).facts(account.id);
    const more = confirmed ? '' : ' The e-mail address is still to be confirmed ("user confirm").';
    tools.print(isNew ? `${nickname} is approved.${more}` : `${nickname} was approved already.${more}`);
  },
});

const reject = command({
  words: 'user reject',
  summary: 'Deletes an account that waits for approval; the nickname is free again.',
  parameters: { nickname: NICKNAME },
  example: 'user reject alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    await logged(services, 'reject', account, async () => {
      if (!(await services.get(UserAdmissionService).reject(account.id)))
        throw new CommandError(`${nickname} is approved already; "user set ${nickname} --no-active" deactivates it.`);
    });
    tools.print(`${nickname} was rejected, and the account is deleted.`);
  },
});

const confirm = command({
  words: 'user confirm',
  summary: 'Confirms the e-mail address of an account, without a letter.',
  parameters: { nickname: NICKNAME },
  example: 'user confirm alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    const admission = services.get(UserAdmissionService);
    const isNew = await logged(services, 'confirm_email', account, () => admission.confirm(account.id));
    const address = `The e-mail address of ${nickname}`;
    tools.print(isNew ? `${address} is confirmed.` : `${address} was confirmed already.`);
  },
});

const resend = command({
  words: 'user resend-confirmation',
  summary: 'Sends the letter that confirms the e-mail address of a local account once more.',
  parameters: { nickname: NICKNAME },
  example: 'user resend-confirmation alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const account = await requireAccount(services, nickname);
    await services.get(UserModerationService).resendConfirmation(OPERATOR, [account.nickname]);
    tools.print(`If the address of ${nickname} is not confirmed yet, the letter is on its way.`);
  },
});

export const admissionCommands = [list, approve, reject, confirm, resend];

function row(user: ListedUser): string[] {
  const states = [
    ...(user.isDeactivated ? ['deactivated'] : []),
    ...(user.isApproved ? [] : ['pending']),
    ...(user.isConfirmed ? [] : ['unconfirmed']),
  ];
  const roles = [...(user.isAdmin ? ['admin'] : []), ...(user.isModerator ? ['moderator'] : [])];
  return [
    user.nickname,
    user.createdAt.slice(0, 10),
    states.join(',') || 'ok',
    roles.join(',') || '-',
    user.email ?? '-',
    user.registrationReason.replaceAll(/[\s\p{Cc}]+/gu, ' '), // one line, without control characters
  ];
}
