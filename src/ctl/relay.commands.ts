import { ModerationLogService, OPERATOR } from '../admin/index.js';
import { RelaysService } from '../federation/index.js';
import { UnitOfWork } from '../platform/index.js';
import { command, type Services } from './frame/command.js';
import { columns, json, JSON_OPTION } from './frame/output.js';

const ADDRESS = 'Its actor, or the inbox of a relay of Mastodon’s kind.';

const list = command({
  words: 'relay list',
  summary: 'Lists the relays that this server follows, and whether they accepted.',
  options: { json: JSON_OPTION },
  example: 'relay list',
  run: async (tools, _args, options) => {
    const relays = await (await tools.services()).get(RelaysService).list();
    if (options.json) tools.print(json(relays));
    else if (relays.length === 0) tools.print('There are no relays.');
    else tools.print(...columns(relays.map(({ address, style, state }) => [address, style, state])));
  },
});

const follow = command({
  words: 'relay follow',
  summary: 'Follows a relay: its posts come in, and public posts of this server go to it.',
  parameters: { address: ADDRESS },
  example: 'relay follow https://relay.example/actor',
  run: async (tools, { address }) => {
    const services = await tools.services();
    const { state } = await services
      .get(RelaysService)
      .follow(address, () => record(services, 'relay_follow', address));
    tools.print(state === 'accepted' ? 'The relay is followed already.' : 'The relay was asked.');
  },
});

const unfollow = command({
  words: 'relay unfollow',
  summary: 'Ends the exchange with a relay.',
  parameters: { address: ADDRESS },
  example: 'relay unfollow https://relay.example/actor',
  run: async (tools, { address }) => {
    const services = await tools.services();
    await services.get(UnitOfWork).run(async () => {
      await services.get(RelaysService).unfollow(address);
      await record(services, 'relay_unfollow', address);
    });
    tools.print('The relay is not followed any more.');
  },
});

export const relayCommands = [list, follow, unfollow];

async function record(services: Services, action: 'relay_follow' | 'relay_unfollow', id: string): Promise<void> {
  await services.get(ModerationLogService).record(OPERATOR, action, { type: 'relay', id });
}
