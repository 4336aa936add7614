import { AdminInstanceService, OPERATOR } from '../admin/index.js';
import { RulesService } from '../instance/index.js';
import { command, UsageError } from './frame/command.js';
import { requireFound } from './frame/require.js';
import { columns, json, JSON_OPTION } from './frame/output.js';

const list = command({
  words: 'rules list',
  summary: 'Shows the rules of this server.',
  options: { json: JSON_OPTION },
  example: 'rules list',
  run: async (tools, _args, options) => {
    const rules = await (await tools.services()).get(RulesService).all();
    if (options.json) tools.print(json(rules));
    else if (rules.length === 0) tools.print('There are no rules.');
    else tools.print(...columns(rules.map(({ id, text, hint }) => [id, text, hint])));
  },
});

const add = command({
  words: 'rules add',
  summary: 'Adds a rule.',
  parameters: { text: 'The rule.' },
  options: {
    hint: { type: 'string', help: 'More words on it.' },
    priority: { type: 'string', help: 'A whole number, 0 without: rules with a lower one come first.' },
  },
  example: "rules add 'Be kind.' --hint 'To everybody.' --priority -1",
  run: async (tools, { text }, { hint, priority = '0' }) => {
    if (!/^-?\d{1,7}$/.test(priority)) throw new UsageError('The priority is a whole number.');
    const rules = (await tools.services()).get(AdminInstanceService);
    const { id } = await rules.createRule(OPERATOR, { text, hint, priority: Number(priority) });
    tools.print(`Rule ${id} was added.`);
  },
});

const remove = command({
  words: 'rules remove',
  summary: 'Removes a rule.',
  parameters: { id: 'Its number in "rules list".' },
  example: 'rules remove 3',
  run: async (tools, { id }) => {
    const rules = (await tools.services()).get(AdminInstanceService);
    await requireFound(`rule ${id}`, rules.deleteRule(OPERATOR, id));
    tools.print(`Rule ${id} was removed.`);
  },
});

export const rulesCommands = [list, add, remove];
