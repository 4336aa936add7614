import { type Command, type Tools, UsageError } from './command.js';
import { columns } from './output.js';

/** The beginning of every command line. */
const CALL = 'npm run ctl --';

/** The meaning of a command line: a command to run, or a text to show. */
export type Request = { readonly run: (tools: Tools) => Promise<void> } | { readonly help: string };

/**
 * Finds the command of the arguments.
 * @throws UsageError when there is no such command or the arguments do not fit
 */
export function requestOf(commands: readonly Command[], args: readonly string[]): Request {
  const [first, ...others] = args;
  if (first === 'help') return { help: helpOn(commands, others) };
  const found = commandOf(commands, args);
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const isHelp = options.includes('--help') || (!found && args.at(-1) === 'help');
  if (isHelp) return { help: helpOn(commands, found?.words ?? args.filter((arg) => !/^(--)?help$/.test(arg))) };
  if (found) return { run: found.parse(args.slice(found.words.length)) };
  throw first === undefined ? new UsageError('Which command?') : unknown(args);
}

/** The help command for an invalid command line. */
export function hintOf(commands: readonly Command[], args: readonly string[]): string {
  const group = args.slice(0, 1);
  const words = commandOf(commands, args)?.words ?? (within(commands, group).length > 0 ? group : []);
  return `Help: ${[CALL, 'help', ...words].join(' ')}`;
}

/** The text on one command, or the list of the commands that begin with `words`. */
function helpOn(commands: readonly Command[], words: readonly string[]): string {
  const found = commandOf(commands, words);
  if (found) return describe(found);
  const listed = within(commands, words);
  if (listed.length === 0) throw unknown(words);
  return [
    `Usage: ${[CALL, ...words].join(' ')} <command>`,
    '',
    ...columns(listed.map((each) => [`  ${each.words.join(' ')}`, each.summary])),
    '',
    `Arguments, options and an example: ${CALL} <command> --help`,
  ].join('\n');
}

function describe({ words, summary, parameters, options, example }: Command): string {
  const call = [CALL, ...words];
  const names = Object.keys(parameters).map((name) => `<${name}>`);
  const hasOptions = Object.keys(options).length > 0;
  return [
    `Usage: ${[...call, ...names, ...(hasOptions ? ['[options]'] : [])].join(' ')}`,
    '',
    summary,
    '',
    ...section('Arguments', Object.entries(parameters)),
    ...section(
      'Options',
      Object.entries(options).map(([name, { type, help, negatable }]) => {
        const form = type === 'string' ? `--${name} <${name}>` : negatable ? `--${name}, --no-${name}` : `--${name}`;
        return [form, help];
      }),
    ),
    'Example:',
    `  ${CALL} ${example}`,
  ].join('\n');
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  return [`${title}:`, ...columns(rows.map(([name, help]) => [`  ${name}`, help])), ''];
}

/** The command at the beginning of the arguments. */
function commandOf(commands: readonly Command[], args: readonly string[]): Command | undefined {
  return commands.find(({ words }) => words.every((word, at) => args[at] === word));
}

/** The commands that begin with `words`. */
function within(commands: readonly Command[], words: readonly string[]): readonly Command[] {
  return commands.filter((command) => words.every((word, at) => command.words[at] === word));
}

function unknown(args: readonly string[]): UsageError {
  return new UsageError(`There is no command "${args.slice(0, 2).join(' ')}".`);
}
