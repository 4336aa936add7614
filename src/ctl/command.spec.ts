import { describe, expect, it } from '@jest/globals';
import { command, findCommand, type Tools, UsageError, usageOf } from './command.js';

/** A command that prints what it was given. */
const paint = command({
  words: 'wall paint',
  summary: 'Paints a wall.',
  parameters: ['wall', 'colour'],
  options: { coats: { type: 'string' }, glossy: { type: 'boolean' } },
  run: (tools, { wall, colour }, { coats, glossy }) => {
    tools.print(JSON.stringify({ wall, colour, coats, glossy }));
    return Promise.resolve();
  },
});
const sweep = command({ words: 'sweep', summary: 'Sweeps.', run: () => Promise.resolve() });
const commands = [paint, sweep];

async function given(...args: string[]): Promise<unknown> {
  let printed = '';
  const unused = () => Promise.reject(new Error('not needed here'));
  const print = (line: string) => void (printed = line);
  const tools: Tools = { print, services: unused, migrations: unused, migrate: unused, askSecret: unused };
  await findCommand(commands, args)(tools);
  return JSON.parse(printed);
}

describe('findCommand', () => {
  it('gives a command its arguments and options by name, wherever they stand', async () => {
    const expected = { wall: 'north', colour: 'red', coats: '2', glossy: true };
    expect(await given('wall', 'paint', 'north', 'red', '--coats', '2', '--glossy')).toEqual(expected);
    expect(await given('wall', 'paint', '--coats=2', 'north', '--glossy', 'red')).toEqual(expected);
  });

  it('tells a negated option from one that is not given', async () => {
    expect(await given('wall', 'paint', 'north', 'red', '--no-glossy')).toHaveProperty('glossy', false);
    expect(await given('wall', 'paint', 'north', 'red')).not.toHaveProperty('glossy');
  });

  it.each([
    [[], 'Which command?'],
    [['wall'], 'There is no command "wall".'],
    [['wall', 'tear', 'down'], 'There is no command "wall tear".'],
    [['wall', 'paint', 'north'], '"wall paint" takes <wall> <colour>.'],
    [['wall', 'paint', 'north', 'red', 'twice'], '"wall paint" takes <wall> <colour>.'],
    [['sweep', 'slowly'], '"sweep" takes no arguments.'],
  ])('refuses %j', (args, complaint) => {
    expect(() => findCommand(commands, args)).toThrow(new UsageError(complaint));
  });

  it.each([[['--matt']], [['--coats']], [['--glossy=very']], [['--no-coats']]])('refuses the options %j', (options) => {
    expect(() => findCommand(commands, ['wall', 'paint', 'north', 'red', ...options])).toThrow(UsageError);
  });
});

describe('usageOf', () => {
  it('is written from the definitions', () => {
    expect(usageOf(commands).split('\n')).toEqual([
      'Usage: npm run ctl -- <command>',
      '',
      '  wall paint <wall> <colour> [--coats <coats>] [--glossy]',
      '      Paints a wall.',
      '  sweep',
      '      Sweeps.',
    ]);
  });
});
