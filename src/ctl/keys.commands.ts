import { VapidKeys } from '../config/index.js';
import { command } from './command.js';

const show = command({
  words: 'keys show',
  summary: 'Shows the public key that apps subscribe to web push with.',
  example: 'keys show',
  run: async (tools) => {
    const services = await tools.services();
    tools.print(`vapid  ${await services.get(VapidKeys).publicKey()}`);
  },
});

export const keysCommands = [show];
