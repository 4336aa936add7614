import type { Type } from '@nestjs/common';
import type { SchemaMaker } from '../../backup/index.js';
import { type DatabaseAddress, type Env, requireOwnFiles } from '../../platform/index.js';

/** The tools of a command. */
export interface Tools {
  /**
   * The services of the server, on its database. Starts the database if necessary.
   * @throws StartError when there is no database, or it has another version
   */
  services(): Promise<Services>;
  /** The migrations that the database lacks, and those of a newer version. */
  migrations(): Promise<{ readonly pending: readonly string[]; readonly unknown: readonly string[] }>;
  /** Brings the database up to date; returns the names of the migrations that ran. */
  migrate(): Promise<string[]>;
  readonly env: Env;
  /** Aborted when the operator interrupts the command, which then has ten seconds to undo what it began. */
  readonly signal: AbortSignal;
  /** The migrations of this version. */
  readonly schema: SchemaMaker;
  /**
   * The address of the server's database. Starts it if necessary.
   * @throws StartError when there is none
   */
  database(): Promise<DatabaseAddress>;
  /**
   * The address of a database that the command has for itself until its end: that of the URL, or the bundled one, which
   * is made when there is none.
   * @throws StartError when a server or another command uses it
   */
  claim(databaseUrl: string | undefined): Promise<DatabaseAddress>;
  /** Prints lines of the result. */
  print(...lines: readonly string[]): void;
  /** Prints a warning beside the result: programs that read the result do not get it. */
  warn(line: string): void;
  /** Asks for a secret; undefined without a terminal. */
  askSecret(question: string): Promise<string | undefined>;
  /** Asks for a text; undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
}

/** Returns the providers of the running application, by their class or injection token. */
export interface Services {
  get<T>(type: Type<T> | symbol): T;
}

/** An expected failure, reported in one line. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** An environment in which the command would do harm. */
export class EnvironmentError extends CommandError {
  override name = 'EnvironmentError';
}

/** An unknown command, or invalid arguments. */
export class UsageError extends CommandError {
  override name = 'UsageError';
}

/** An option of a command. A boolean one can be negated, `--no-admin`. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly help: string;
  /** Whether the negated form has a meaning of its own and is in the help. */
  readonly negatable?: boolean;
}

type Options = Readonly<Record<string, Option>>;
type Parameters = Readonly<Record<string, string>>;
type Values<O extends Options> = { readonly [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string };
type Arguments<P extends Parameters> = Readonly<Record<keyof P, string>>;

type Run = (tools: Tools) => Promise<void>;

export interface Command {
  readonly words: readonly string[];
  readonly summary: string;
  readonly parameters: Parameters;
  readonly options: Options;
  readonly example: string;
  /** @throws UsageError when the arguments do not fit */
  parse(args: readonly string[]): Run;
}

interface Definition<P extends Parameters, O extends Options> {
  /** `user create` */
  readonly words: string;
  readonly summary: string;
  /** Names and descriptions of the arguments; all are required. */
  readonly parameters?: P;
  readonly options?: O;
  /** An example of the whole command. */
  readonly example: string;
  /** Whether it writes files of the server: root may not run it for another user. */
  readonly writesFiles?: boolean;
  readonly run: (tools: Tools, args: Arguments<P>, options: Values<O>) => Promise<void>;
}

/** Defines a command with typed arguments and options, and a generated help text. */
export function command<const P extends Parameters, const O extends Options>(definition: Definition<P, O>): Command {
  const { words, summary, example, writesFiles = false, run } = definition;
  const parameters: Parameters = definition.parameters ?? {};
  const options: Options = definition.options ?? {};
  const names = Object.keys(parameters);
  return {
    words: words.split(' '),
    summary,
    parameters,
    options,
    example,
    parse: (args) => {
      const { values, positionals } = readArguments(args, options);
      if (positionals.length !== names.length) throw new UsageError(wrongCount(words, names));
      const named = Object.fromEntries(names.map((name, at) => [name, positionals[at]]));
      return async (tools) => {
        if (writesFiles && !tools.env.storage) requireOwnFiles(tools.env);
        await run(tools, named as Arguments<P>, values as Values<O>);
      };
    },
  };
}

function wrongCount(words: string, names: readonly string[]): string {
  if (names.length === 0) return `"${words}" takes no arguments.`;
  return `"${words}" takes ${names.map((name) => `<${name}>`).join(' ')}.`;
}

/** Options may be anywhere; after `--` all are arguments. Values and arguments may begin with one dash. */
function readArguments(args: readonly string[], options: Options) {
  const values: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') positionals.push(...rest.splice(0));
    else if (arg.startsWith('--')) readOption(arg, rest, options, values);
    else positionals.push(arg);
  }
  return { values, positionals };
}

/** Reads one option into `values`; takes its value from `rest` if there is no equals sign. */
function readOption(arg: string, rest: string[], options: Options, values: Record<string, string | boolean>): void {
  const [, given = '', attached] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
  const type = typeOf(options, given);
  const positive = given.replace(/^no-/, '');
  if (type === 'string') values[given] = attached ?? nextValue(given, rest);
  else if (type === undefined && typeOf(options, positive) !== 'boolean')
    throw new UsageError(`There is no option --${given}.`);
  else if (attached !== undefined) throw new UsageError(`--${given} takes no value.`);
  else values[type === undefined ? positive : given] = type !== undefined;
}

function typeOf(options: Options, name: string): Option['type'] | undefined {
  return Object.hasOwn(options, name) ? options[name]?.type : undefined;
}

function nextValue(name: string, rest: string[]): string {
  const value = rest[0]?.startsWith('--') ? undefined : rest.shift();
  if (value !== undefined) return value;
  throw new UsageError(`--${name} needs a value; write one that begins with -- as --${name}=<value>.`);
}
