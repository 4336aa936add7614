import { command, type Tools, UsageError } from './command.js';
import { readEnv } from '../../platform/index.js';
import { hintOf, requestOf } from './help.js';

/** A command that prints its arguments and options. */
const paint = command({
  words: 'wall paint',
  summary: 'Paints a wall.',
  parameters: { wall: 'Which wall.', colour: 'The colour.' },
  options: {
    coats: { type: 'string', help: 'How many.' },
    glossy: { type: 'boolean', help: 'Whether it shines.', negatable: true },
  },
  example: 'wall paint north red',
  run: (tools, { wall, colour }, { coats, glossy }) => {
    tools.print(JSON.stringify({ wall, colour, coats, glossy }));
    return Promise.resolve();
  },
});
const build = command({ words: 'wall build', summary: 'Builds.', example: 'wall build', run: () => Promise.resolve() });
const sweep = command({ words: 'sweep', summary: 'Sweeps.', example: 'sweep', run: () => Promise.resolve() });
const commands = [paint, build, sweep];

async function given(...args: string[]): Promise<unknown> {
  let printed = '';
  const unused = () => Promise.reject(new Error('not needed here'));
  const print = (line: string) => void (printed = line);
  const asked = { services: unused, migrations: unused, migrate: unused, askSecret: unused, ask: unused };
  const schema = { known: [], make: unused, complete: unused };
  const databases = { database: unused, claim: unused, schema };
  const warn = () => undefined;
  const tools: Tools = { print, warn, env: readEnv({}), signal: new AbortController().signal, ...asked, ...databases };
  const request = requestOf(commands, args);
  if ('help' in request) throw new Error('not asked for');
  await request.run(tools);
  return JSON.parse(printed);
}

function help(...args: string[]): string | undefined {
  const request = requestOf(commands, args);
  return 'help' in request ? request.help : undefined;
}

describe('requestOf', () => {
  it('passes arguments and options by name, in any order', async () => {
    const expected = { wall: 'north', colour: 'red', coats: '2', glossy: true };
    expect(await given('wall', 'paint', 'north', 'red', '--coats', '2', '--glossy')).toEqual(expected);
    expect(await given('wall', 'paint', '--coats=2', 'north', '--glossy', 'red')).toEqual(expected);
  });

  it('distinguishes a negated option from an absent one', async () => {
    expect(await given('wall', 'paint', 'north', 'red', '--no-glossy')).toHaveProperty('glossy', false);
    expect(await given('wall', 'paint', 'north', 'red')).not.toHaveProperty('glossy');
  });

  it('accepts values that begin with a dash', async () => {
    expect(await given('wall', 'paint', '-1', 'red', '--coats', '-2')).toMatchObject({ wall: '-1', coats: '-2' });
    expect(await given('wall', 'paint', 'north', 'red', '--coats=--x=y')).toMatchObject({ coats: '--x=y' });
    expect(await given('wall', 'paint', '--glossy', '--', '--help', '--coats')).toEqual({
      wall: '--help',
      colour: '--coats',
      glossy: true,
    });
  });

  it.each([
    [[], 'Which command?'],
    [['wall'], 'There is no command "wall".'],
    [['wall', 'tear', 'down'], 'There is no command "wall tear".'],
    [['help', 'floor'], 'There is no command "floor".'],
    [['wall', 'paint', 'north'], '"wall paint" takes <wall> <colour>.'],
    [['wall', 'paint', 'north', 'red', 'twice'], '"wall paint" takes <wall> <colour>.'],
    [['sweep', 'slowly'], '"sweep" takes no arguments.'],
    [['sweep', '--toString'], 'There is no option --toString.'],
    [['wall', 'paint', '--matt'], 'There is no option --matt.'],
    [['wall', 'paint', '--no-coats'], 'There is no option --no-coats.'],
    [['wall', 'paint', '--glossy=very'], '--glossy takes no value.'],
    [
      ['wall', 'paint', '--coats', '--glossy'],
      '--coats needs a value; write one that begins with -- as --coats=<value>.',
    ],
    [['wall', 'paint', '--coats'], '--coats needs a value; write one that begins with -- as --coats=<value>.'],
  ])('refuses %j', (args, complaint) => {
    expect(() => requestOf(commands, args)).toThrow(new UsageError(complaint));
  });
});

describe('help', () => {
  it.each([[['help']], [['--help']]])('lists all commands for %j', (args) => {
    const text = help(...args);
    for (const { summary } of commands) expect(text).toContain(summary);
  });

  it.each([[['wall', 'help']], [['wall', '--help']], [['help', 'wall']]])('lists a group for %j', (args) => {
    expect(help(...args)?.split('\n')).toEqual([
      'Usage: npm run ctl -- wall <command>',
      '',
      '  wall paint  Paints a wall.',
      '  wall build  Builds.',
      '',
      'Arguments, options and an example: npm run ctl -- <command> --help',
    ]);
  });

  it.each([
    [['wall', 'paint', '--help']],
    [['help', 'wall', 'paint']],
    [['wall', 'paint', 'north', '--help', '--matt']],
  ])('describes a command for %j', (args) => {
    expect(help(...args)?.split('\n')).toEqual([
      'Usage: npm run ctl -- wall paint <wall> <colour> [options]',
      '',
      'Paints a wall.',
      '',
      'Arguments:',
      '  wall    Which wall.',
      '  colour  The colour.',
      '',
      'Options:',
      '  --coats <coats>        How many.',
      '  --glossy, --no-glossy  Whether it shines.',
      '',
      'Example:',
      '  npm run ctl -- wall paint north red',
    ]);
  });
});

describe('hintOf', () => {
  it.each([
    [['wall', 'paint', 'north'], 'Help: npm run ctl -- help wall paint'],
    [['wall', 'tear'], 'Help: npm run ctl -- help wall'],
    [['floor'], 'Help: npm run ctl -- help'],
    [[], 'Help: npm run ctl -- help'],
  ])('answers %j with the closest help: %s', (args, hint) => {
    expect(hintOf(commands, args)).toBe(hint);
  });
});
