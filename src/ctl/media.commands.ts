import { MediaBans } from '../media/index.js';
import { command } from './command.js';
import { counted, json } from './output.js';

const SHOWN = 1_000;

const banned = command({
  words: 'media proxy banned',
  summary: `Shows which files of other servers are not shown here, the newest ${SHOWN} that contain a text.`,
  options: { query: { type: 'string' }, json: { type: 'boolean' } },
  run: async (tools, _args, { query = '', json: asJson }) => {
    const page = await (await tools.services()).get(MediaBans).page(query, SHOWN, 0);
    if (asJson) tools.print(json(page));
    else tools.print(...page.urls, `${counted(page.count, 'file is', 'files are')} banned.`);
  },
});

const ban = command({
  words: 'media proxy ban',
  summary: 'Shows a file of another server no more; its URL, or its address here.',
  parameters: ['url'],
  run: async (tools, { url }) => {
    await (await tools.services()).get(MediaBans).ban([url]);
    tools.print('The file is banned, and what was kept of it is removed.');
  },
});

const unban = command({
  words: 'media proxy unban',
  summary: 'Shows a banned file again.',
  parameters: ['url'],
  run: async (tools, { url }) => {
    await (await tools.services()).get(MediaBans).unban([url]);
    tools.print('The file is not banned.');
  },
});

const purge = command({
  words: 'media proxy purge',
  summary: 'Removes what is kept of a file of another server: it is fetched anew when somebody looks at it.',
  parameters: ['url'],
  run: async (tools, { url }) => {
    await (await tools.services()).get(MediaBans).purge([url]);
    tools.print('What was kept of the file is removed.');
  },
});

export const mediaCommands = [banned, ban, unban, purge];
