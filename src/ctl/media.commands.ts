import { MediaBansService, MediaCleaningService } from '../media/index.js';
import { command, CommandError, UsageError } from './frame/command.js';
import { counted, json, JSON_OPTION } from './frame/output.js';

const SHOWN = 1_000;
const URL = 'Its URL, or its address here.';

const banned = command({
  words: 'media proxy banned',
  summary: `Shows the newest ${SHOWN} files of other servers that are banned here.`,
  options: { query: { type: 'string', help: 'A part of the URL.' }, json: JSON_OPTION },
  example: 'media proxy banned --query spam.example',
  run: async (tools, _args, { query = '', json: asJson }) => {
    const page = await (await tools.services()).get(MediaBansService).page(query, SHOWN, 0);
    if (asJson) tools.print(json(page));
    else tools.print(...page.urls, `${counted(page.count, 'file is', 'files are')} banned.`);
  },
});

const ban = command({
  words: 'media proxy ban',
  summary: 'Bans a file of another server: it is not shown here any more.',
  parameters: { url: URL },
  example: 'media proxy ban https://other.example/picture.png',
  run: async (tools, { url }) => {
    await (await tools.services()).get(MediaBansService).ban([url]);
    tools.print('The file is banned, and what was kept of it is removed.');
  },
});

const unban = command({
  words: 'media proxy unban',
  summary: 'Shows a banned file again.',
  parameters: { url: URL },
  example: 'media proxy unban https://other.example/picture.png',
  run: async (tools, { url }) => {
    const count = await (await tools.services()).get(MediaBansService).unban([url]);
    if (count === 0) throw new CommandError(`${url} is not banned.`);
    tools.print('The file is not banned.');
  },
});

const purge = command({
  words: 'media proxy purge',
  summary: 'Removes what is kept of a file of another server: it is fetched anew when somebody looks at it.',
  parameters: { url: URL },
  example: 'media proxy purge https://other.example/picture.png',
  run: async (tools, { url }) => {
    await (await tools.services()).get(MediaBansService).purge([url]);
    tools.print('What was kept of the file is removed.');
  },
});

const MOST = 10_000;
const ID = /^\d{1,18}$/;
const NUMBER = /^[1-9]\d{0,8}$/;

const clean = command({
  words: 'media clean',
  summary:
    'Cleans stored uploads again, one after the other, where an earlier release left more in them than this one does.',
  options: {
    after: { type: 'string', help: 'Goes on after this one, the last of an earlier run.' },
    count: { type: 'string', help: `How many are looked at; ${MOST} unless given.` },
  },
  example: 'media clean --after 1234',
  run: async (tools, _args, { after = '0', count = String(MOST) }) => {
    if (!ID.test(after) || !NUMBER.test(count)) throw new UsageError('--after is an id, and --count a number above 0.');
    const cleaning = (await tools.services()).get(MediaCleaningService);
    const { cleaned, looked, unreadable, last } = await cleaning.clean(after, Number(count));
    tools.print(`${cleaned} of ${counted(looked, 'upload was', 'uploads were')} cleaned.`);
    if (unreadable.length > 0) tools.print(`These cannot be read, and stay as they are: ${unreadable.join(', ')}`);
    if (last !== undefined) tools.print(`The last one is ${last}.`);
  },
});

export const mediaCommands = [banned, ban, unban, purge, clean];
