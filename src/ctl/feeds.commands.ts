import { FeedRepairService, FeedsService } from '../timelines/index.js';
import { command } from './frame/command.js';
import { NICKNAME, requireAccount } from './frame/require.js';

const rebuild = command({
  words: 'feeds rebuild',
  summary: 'Makes the home feed of a local account anew from the posts.',
  parameters: { nickname: NICKNAME },
  example: 'feeds rebuild alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const { id } = await requireAccount(services, nickname);
    await services.get(FeedRepairService).rebuild(id);
    tools.print(`The home feed of ${nickname} is made anew.`);
  },
});

const trim = command({
  words: 'feeds trim',
  summary: 'Cuts home feeds that grew too long and drops those of readers who stayed away, as every night.',
  example: 'feeds trim',
  run: async (tools) => {
    await (await tools.services()).get(FeedsService).trim();
    tools.print('The home feeds are trimmed.');
  },
});

export const feedsCommands = [rebuild, trim];
