import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { searchedDomain } from '../common/index.js';
import { environmentVariables, messageOf, PRIVATE_FILE, PROGRAM_FOLDER } from '../platform/index.js';
import { command, CommandError, type Tools, UsageError } from './frame/command.js';
import { readGiven } from './frame/given-file.js';
import { type Deployment, deploymentFiles, isPlainWord, isWritable } from './setup/deployment.js';
import { nextSteps } from './setup/next-steps.js';

const PROXIES = ['caddy', 'nginx', 'none'] as const;
const HOST_NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const setup = command({
  words: 'setup',
  summary: 'Writes what a server on a machine of its own needs: .env, a systemd unit, the file of a reverse proxy.',
  options: {
    domain: { type: 'string', help: 'The public host name, such as social.example. Asked for when it is left out.' },
    proxy: { type: 'string', help: 'caddy (gets certificates by itself), nginx or none. caddy when left out.' },
    port: { type: 'string', help: 'The local port; 4000 when left out.' },
    user: { type: 'string', help: 'The user that runs the server; the current user when left out.' },
    data: { type: 'string', help: 'The data folder; DATA_DIR when left out.' },
    database: { type: 'string', help: 'postgres://user:password@host/database; the bundled one when left out.' },
    mail: { type: 'string', help: 'smtps://user:password@mail.example; no mail is sent when left out.' },
    // Not --env-file: Node would read that itself, before the command begins.
    environment: { type: 'string', help: 'The file for the environment; .env beside the program when left out.' },
    folder: { type: 'string', help: 'Where the unit and the file of the proxy go; deploy when left out.' },
    force: {
      type: 'boolean',
      help: 'Writes over files that differ, which stay as <file>.old, <file>.old.2 and so on.',
    },
  },
  example: 'setup --domain social.example --proxy nginx',
  run: async (tools, _args, { folder = 'deploy', force = false, ...options }) => {
    const deployment = await readDeployment(tools, options);
    const files = Object.entries(deploymentFiles(deployment)).map(([name, text]) => ({
      path: name === '.env' ? deployment.environment : resolve(folder, name),
      text,
    }));
    const others: typeof files = [];
    for (const file of files)
      if (existsSync(file.path) && (await readGiven(file.path)).toString() !== file.text) others.push(file);
    if (others.length > 0 && !force)
      throw new CommandError(`${others.map(({ path }) => path).join(', ')}: there already; --force overwrites.`);
    for (const { path } of others) await rename(path, freeNameFor(path)); // it may hold a key
    for (const { path, text } of files) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { mode: path === deployment.environment ? PRIVATE_FILE : 0o644 });
    }
    tools.print(...files.map(({ path }) => `Wrote ${path}`), '', ...nextSteps(deployment, resolve(folder)));
  },
});

export const setupCommands = [setup];

/** A name beside a file that no other file has. */
function freeNameFor(path: string): string {
  let name = `${path}.old`;
  for (let count = 2; existsSync(name); count += 1) name = `${path}.old.${count}`;
  return name;
}

type Choices = Partial<
  Record<'domain' | 'proxy' | 'port' | 'user' | 'data' | 'database' | 'mail' | 'environment', string>
>;

async function readDeployment(tools: Tools, choices: Choices): Promise<Deployment> {
  const asked = choices.domain ?? (await tools.ask('The public host name, such as social.example: '));
  if (asked === undefined) throw new UsageError('--domain is missing.');
  const { port = '4000', proxy: named = 'caddy', user = userInfo().username } = choices;
  const proxy = PROXIES.find((each) => each === named);
  if (!proxy) throw new UsageError(`--proxy: expected one of ${PROXIES.join(', ')}.`);
  const deployment = {
    domain: checked('--domain', searchedDomain(asked.trim()), (value) => HOST_NAME.test(value), 'a host name'),
    proxy,
    port: Number(
      parsed(
        '--port',
        'PORT',
        checked('--port', port, (value) => value !== '0', 'a port'),
      ),
    ),
    user,
    program: PROGRAM_FOLDER,
    environment: resolve(choices.environment ?? join(PROGRAM_FOLDER, '.env')),
    data: resolve(choices.data ?? tools.env.dataDir),
    node: process.execPath,
    variables: variablesOf(choices),
  };
  for (const name of ['user', 'program', 'environment', 'data', 'node'] as const)
    checked(`The ${name}`, deployment[name], isPlainWord, 'no spaces, quotes, backslashes, % or $');
  return deployment;
}

function variablesOf({ database, mail }: Choices): Record<string, string> {
  return {
    ...(database === undefined ? {} : { DATABASE_URL: parsed('--database', 'DATABASE_URL', database) }),
    ...(mail === undefined ? {} : { SMTP_URL: parsed('--mail', 'SMTP_URL', mail) }),
  };
}

/** A value that the server would accept for a variable, and that a file can hold. */
function parsed(option: string, variable: 'PORT' | 'DATABASE_URL' | 'SMTP_URL', value: string): string {
  try {
    environmentVariables[variable].parse(value);
  } catch (error) {
    throw new UsageError(`${option}: ${messageOf(error)}.`);
  }
  return checked(option, value, isWritable, 'no quotes, backslashes or line breaks');
}

function checked(name: string, value: string, fits: (value: string) => boolean, wanted: string): string {
  if (fits(value)) return value;
  throw new UsageError(`${name}: expected ${wanted}.`);
}
