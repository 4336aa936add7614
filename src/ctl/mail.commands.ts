import { Pages } from '../common/index.js';
import { Mailer } from '../platform/index.js';
import { command, CommandError } from './frame/command.js';

const test = command({
  words: 'mail test',
  summary: 'Sends a letter to an address, to see whether the mail of this server arrives.',
  parameters: { address: 'Where the letter is sent.' },
  example: 'mail test alice@mail.example',
  run: async (tools, { address }) => {
    const services = await tools.services();
    const [mailer, pages] = [services.get(Mailer), services.get(Pages)];
    const t = pages.translator();
    const { name, url } = pages.site;
    const outcome = await mailer.deliver({
      to: address,
      ...pages.letter(t, {
        subject: t.text('mail.test.subject', { server: name }),
        paragraphs: [t.text('mail.test.text')],
        action: { label: t.text('mail.test.action'), url },
      }),
    });
    if (outcome.kind !== 'done') throw new CommandError(`${outcome.reason}.`);
    tools.print(`The mail server took the letter to ${address}.`);
  },
});

export const mailCommands = [test];
