import { command, CommandError } from './frame/command.js';
import { DemoWriter } from './demo/demo-writer.js';

const fill = command({
  words: 'demo fill',
  summary: 'Fills a fresh server with people, posts, pictures, chats and a report to look at.',
  example: 'demo fill',
  writesFiles: true,
  run: async (tools) => {
    const writer = new DemoWriter(await tools.services());
    if (!(await writer.isFresh())) throw new CommandError('There are people here already: this is for a fresh server.');
    const { people, statuses } = await writer.fill();
    tools.print(`${people} people and ${statuses} posts were made. Nobody can sign in as one of them.`);
  },
});

export const demoCommands = [fill];
