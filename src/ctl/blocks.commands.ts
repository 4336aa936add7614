import { ModerationLogService, OPERATOR } from '../admin/index.js';
import { MAX_LISTED } from '../common/index.js';
import { blockedName, HostBlocksService } from '../federation/index.js';
import { UnitOfWork } from '../platform/index.js';
import { command, CommandError, type Tools } from './frame/command.js';
import { readGiven } from './frame/given-file.js';
import { followed } from './config.commands.js';
import { columns, counted, json, JSON_OPTION } from './frame/output.js';

const HOST = 'Its name, or *. and a domain for all of its hosts.';
const NOT_ENFORCED = 'They have no effect: SimplePolicy is not in mrf.policies. The next block puts it there.';

const list = command({
  words: 'blocks list',
  summary: 'Lists the servers that are blocked or limited, and why.',
  options: { json: JSON_OPTION },
  example: 'blocks list',
  run: async (tools, _args, options) => {
    const service = (await tools.services()).get(HostBlocksService);
    const blocks = service.list();
    if (options.json) tools.print(json(blocks));
    else if (blocks.length === 0) tools.print('No server is blocked.');
    else {
      tools.print(...columns(blocks.map(({ host, lists, reason }) => [host, lists.join(' '), reason])));
      if (!service.areEnforced()) tools.print(NOT_ENFORCED);
    }
  },
});

const MORE = `There may be more: counts end at ${MAX_LISTED}, and so many accounts are looked at.`;

const preview = command({
  words: 'blocks preview',
  summary: 'Shows what a block of a server would end, before it is made.',
  parameters: { host: HOST },
  options: { json: JSON_OPTION },
  example: 'blocks preview loud.example',
  run: async (tools, { host }, options) => {
    const found = await (await tools.services()).get(HostBlocksService).preview(blockedName(host));
    if (options.json) {
      tools.print(json(found));
      return;
    }
    if (found.hosts.length === 0) {
      tools.print(`Nothing is known of ${host}.`);
      return;
    }
    const { accounts, posts, followed, followers, deliveries } = found;
    tools.print(
      `A block of ${host} concerns ${found.hosts.join(', ')}:`,
      `  ${counted(accounts, 'account')} with ${counted(posts, 'post')} here, which stay but get no news`,
      `  ${counted(followed, 'follow')} by people here, who get no more of their posts`,
      `  ${counted(followers, 'follower')} there, who get no more posts of people here`,
      `  ${counted(deliveries, 'activity', 'activities')} on the way there`,
      ...(Math.max(accounts, posts, followed, followers, deliveries) < MAX_LISTED ? [] : [`  ${MORE}`]),
      ...(found.people.length > 0 ? [`  Among those here: ${found.people.join(', ')}`] : []),
    );
  },
});

const add = command({
  words: 'blocks add',
  summary: 'Blocks a server: nothing but deletions is accepted from there, and nothing is sent.',
  parameters: { host: HOST },
  options: { reason: { type: 'string', help: 'Why; it is shown to everybody.' } },
  example: "blocks add loud.example --reason 'spam'",
  run: async (tools, { host }, { reason = '' }) => {
    const block = { host: blockedName(host), lists: ['reject'], reason } as const;
    const { result, doubts } = await recorded(tools, 'host_block', (blocks, id) => blocks.add([block], id));
    tools.print(result.length > 0 ? `${host} is blocked.` : `${host} was blocked before.`, ...doubts);
  },
});

const remove = command({
  words: 'blocks remove',
  summary: 'Takes a server off all lists.',
  parameters: { host: HOST },
  example: 'blocks remove loud.example',
  run: async (tools, { host }) => {
    const { result, doubts } = await recorded(tools, 'host_unblock', async (blocks, id) =>
      (await blocks.remove(blockedName(host), id)) ? [{ host: blockedName(host) }] : [],
    );
    if (result.length === 0) throw new CommandError(`${host} is not on a list.`);
    tools.print(`${host} is not blocked any more.`, ...doubts);
  },
});

const exported = command({
  words: 'blocks export',
  summary: 'Prints the blocks as CSV, in the form that Mastodon reads.',
  example: 'blocks export > blocks.csv',
  run: async (tools) => {
    tools.print((await tools.services()).get(HostBlocksService).export());
  },
});

const imported = command({
  words: 'blocks import',
  summary: 'Adds the blocks of a file: CSV as Mastodon writes it, or one host in a line. Nothing is removed.',
  parameters: { file: 'Its path.' },
  options: { 'dry-run': { type: 'boolean', help: 'Only says what would be added.' } },
  example: 'blocks import blocks.csv --dry-run',
  run: async (tools, { file }, options) => {
    const text = (await readGiven(file)).toString();
    const { result, doubts } = options['dry-run']
      ? { result: (await tools.services()).get(HostBlocksService).missing(text), doubts: [] }
      : await recorded(tools, 'host_block', (blocks, id) => blocks.import(text, id));
    const verb = options['dry-run'] ? 'would be' : result.length === 1 ? 'was' : 'were';
    tools.print(`${counted(result.length, 'server')} ${verb} added.`);
    tools.print(...columns(result.map(({ host, lists, reason }) => [`  ${host}`, lists.join(' '), reason])), ...doubts);
  },
});

export const blocksCommands = [list, preview, add, remove, exported, imported];

/** Changes blocks in one unit of work with the entry in the moderation log, and waits for the running servers. */
async function recorded<T extends { readonly host: string }>(
  tools: Tools,
  action: 'host_block' | 'host_unblock',
  change: (blocks: HostBlocksService, changeId: string) => Promise<readonly T[]>,
): Promise<{ readonly result: readonly T[]; readonly doubts: readonly string[] }> {
  const services = await tools.services();
  return followed(tools, (id) =>
    services.get(UnitOfWork).run(async () => {
      const changed = await change(services.get(HostBlocksService), id);
      const subjects = changed.map(({ host }) => ({ type: 'instance', id: host }));
      if (changed.length > 0) await services.get(ModerationLogService).record(OPERATOR, action, subjects);
      return changed;
    }),
  );
}
