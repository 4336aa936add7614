import { AdminQueuesService, OPERATOR } from '../admin/index.js';
import { HostsService } from '../federation/index.js';
import { command } from './frame/command.js';
import { columns, JSON_OPTION, rowsAsJson } from './frame/output.js';
import { requireFound } from './frame/require.js';

const SHOWN = 100;

const list = command({
  words: 'hosts list',
  summary: `Shows up to ${SHOWN} other servers that cannot be reached, or that deliveries wait for.`,
  options: { json: JSON_OPTION },
  example: 'hosts list',
  run: async (tools, _args, options) => {
    const hosts = await (await tools.services()).get(HostsService).list(SHOWN);
    const rows = hosts.map(({ host, state, waiting, unreachableSince: since, probeAt: next, lastError: error }) => [
      ...[host, state, String(waiting), since ?? '-', next ?? '-', error ?? '-'],
    ]);
    if (options.json) tools.print(rowsAsJson(hosts));
    else if (rows.length === 0) tools.print('Nothing waits for another server.');
    else tools.print(...columns([['HOST', 'STATE', 'WAITING', 'UNREACHABLE SINCE', 'NEXT TRY', 'ERROR'], ...rows]));
  },
});

const retry = command({
  words: 'hosts retry',
  summary: 'Lets another server be tried again within a minute, also one that was given up.',
  parameters: { host: 'Its name, with the port if it has one.' },
  example: 'hosts retry other.example',
  run: async (tools, { host }) => {
    const queues = (await tools.services()).get(AdminQueuesService);
    await requireFound(`host ${host}`, queues.retryHost(OPERATOR, host));
    tools.print(`${host} will be tried again.`);
  },
});

export const hostsCommands = [list, retry];
