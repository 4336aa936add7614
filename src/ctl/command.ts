import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Type } from '@nestjs/common';
import { messageOf } from '../platform/index.js';

/** What a command works with. */
export interface Tools {
  /**
   * The services of the server, on its database, which is started when it does not run.
   * @throws StartError when the database is not of this version
   */
  services(): Promise<Services>;
  /** Which migrations the database lacks, and which it has from a newer version. */
  migrations(): Promise<{ readonly pending: readonly string[]; readonly unknown: readonly string[] }>;
  /** Brings the database up to date; answers the names of the migrations that ran. */
  migrate(): Promise<string[]>;
  /** Shows lines of the result. */
  print(...lines: readonly string[]): void;
  /** Asks for a secret; undefined when nobody sits at a terminal. */
  askSecret(question: string): Promise<string | undefined>;
}

/** Gives the providers of the running application. */
export interface Services {
  get<T>(type: Type<T>): T;
}

/** An expected failure that is told in one line. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** An environment in which the command would do harm. */
export class EnvironmentError extends CommandError {
  override name = 'EnvironmentError';
}

/** A command that nobody knows, or arguments that it does not take. */
export class UsageError extends CommandError {
  override name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = { readonly [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string };
type Arguments<P extends readonly string[]> = Readonly<Record<P[number], string>>;

type Run = (tools: Tools) => Promise<void>;

export interface Command {
  readonly words: readonly string[];
  /** How it is called, without the words before it. */
  readonly usage: string;
  readonly summary: string;
  /** @throws UsageError when the arguments do not fit */
  parse(args: readonly string[]): Run;
}

interface Definition<P extends readonly string[], O extends Options> {
  /** `user create` */
  readonly words: string;
  readonly summary: string;
  /** Names of the arguments, all of them needed. */
  readonly parameters?: P;
  /** A boolean one can be negated, `--no-admin`. */
  readonly options?: O;
  readonly run: (tools: Tools, args: Arguments<P>, options: Values<O>) => Promise<void>;
}

/** Defines a command; its arguments and options are typed and its usage is written from them. */
export function command<const P extends readonly string[] = [], const O extends Options = Options>(
  definition: Definition<P, O>,
): Command {
  const { words, summary, parameters = [], run } = definition;
  const options: Options = definition.options ?? {};
  return {
    words: words.split(' '),
    summary,
    usage: [words, ...parameters.map((name) => `<${name}>`), ...Object.entries(options).map(optionUsage)].join(' '),
    parse: (args) => {
      const { values, positionals } = read(args, options);
      if (positionals.length !== parameters.length) throw new UsageError(wrongCount(words, parameters));
      const named = Object.fromEntries(parameters.map((name, at) => [name, positionals[at]]));
      return (tools) => run(tools, named as Arguments<P>, values as Values<O>);
    },
  };
}

function read(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function optionUsage([name, { type }]: [string, Options[string]]): string {
  return type === 'boolean' ? `[--${name}]` : `[--${name} <${name}>]`;
}

function wrongCount(words: string, parameters: readonly string[]): string {
  if (parameters.length === 0) return `"${words}" takes no arguments.`;
  return `"${words}" takes ${parameters.map((name) => `<${name}>`).join(' ')}.`;
}

/** The command that some arguments begin with, ready to run. */
export function findCommand(commands: readonly Command[], args: readonly string[]): Run {
  const found = commands.find(({ words }) => words.every((word, at) => args[at] === word));
  if (found) return found.parse(args.slice(found.words.length));
  const asked = args.slice(0, 2).join(' ');
  throw new UsageError(asked === '' ? 'Which command?' : `There is no command "${asked}".`);
}

/** How every command is called. */
export function usageOf(commands: readonly Command[]): string {
  const lines = commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  return ['Usage: npm run ctl -- <command>', '', ...lines].join('\n');
}
