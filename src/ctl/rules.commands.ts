import { RulesService } from '../instance/index.js';
import { command, UsageError } from './command.js';
import { columns, json } from './output.js';

const list = command({
  words: 'rules list',
  summary: 'Shows the rules of this server.',
  options: { json: { type: 'boolean' } },
  run: async (tools, _args, options) => {
    const rules = await (await tools.services()).get(RulesService).all();
    if (options.json) tools.print(json(rules));
    else if (rules.length === 0) tools.print('There are no rules.');
    else tools.print(...columns(rules.map(({ id, text, hint }) => [id, text, hint])));
  },
});

const add = command({
  words: 'rules add',
  summary: 'Adds a rule. Those with a lower priority stand further up; 0 unless it is given.',
  parameters: ['text'],
  options: { hint: { type: 'string' }, priority: { type: 'string' } },
  run: async (tools, { text }, { hint, priority = '0' }) => {
    if (!/^-?\d{1,7}$/.test(priority)) throw new UsageError('The priority is a whole number.');
    const rules = (await tools.services()).get(RulesService);
    const { id } = await rules.create({ text, hint, priority: Number(priority) });
    tools.print(`Rule ${id} was added.`);
  },
});

const remove = command({
  words: 'rules remove',
  summary: 'Takes a rule away, by its number in the list.',
  parameters: ['id'],
  run: async (tools, { id }) => {
    await (await tools.services()).get(RulesService).delete(id);
    tools.print(`Rule ${id} was taken away.`);
  },
});

export const rulesCommands = [list, add, remove];
