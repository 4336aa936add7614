import { resolve } from 'node:path';
import {
  backupPlace,
  createBackup,
  manifestOf,
  moveDatabase,
  readBackupKey,
  requireKnown,
  restoreBackup,
  ScheduledBackupsService,
  type Totals,
  verifyBackup,
} from '../backup/index.js';
import {
  type Env,
  messageOf,
  type ObjectStore,
  openObjectStore,
  parseDatabaseUrl,
  requireDatabase,
} from '../platform/index.js';
import { command, CommandError, type Tools, UsageError } from './frame/command.js';
import { counted } from './frame/output.js';

const FILE = 'The path of the backup, or s3://bucket/name.';
const KEY_FILE = {
  type: 'string',
  help: 'The file with the key of the encrypted backup; BACKUP_KEY_FILE unless given.',
} as const;

const create = command({
  words: 'backup create',
  summary: 'Writes a backup of the database, the files and the secret key into one file, also while the server runs.',
  parameters: { file: 'The path of the new file, or s3://bucket/name.' },
  options: { 'key-file': KEY_FILE },
  example: 'backup create /backups/svc.tar.zst.enc --key-file /root/backup.key',
  run: async (tools, { file }, { 'key-file': keyFile }) => {
    const { env, signal } = tools;
    const key = await keyOf(tools, keyFile);
    const { size, totals } = await createBackup({
      address: await tools.database(),
      env,
      place: backupPlace(file, env),
      store: storeOf(env),
      key,
      signal,
    });
    tools.print(`${amountIn(totals)} are in ${file} (${size} bytes).`);
    if (totals.skipped.length > 0) tools.print('Left out, since they are gone or no plain files:', ...totals.skipped);
    if (!key) tools.print('The backup is not encrypted, and holds the secret key and all messages: store it safely.');
  },
});

const verify = command({
  words: 'backup verify',
  summary: 'Reads a whole backup and compares its sums and counts; needs no server.',
  parameters: { file: FILE },
  options: { 'key-file': KEY_FILE },
  example: 'backup verify /backups/svc.tar.zst.enc --key-file /root/backup.key',
  run: async (tools, { file }, { 'key-file': keyFile }) => {
    const { manifest, totals } = await verifyBackup(
      backupPlace(file, tools.env),
      await keyOf(tools, keyFile),
      tools.signal,
    );
    tools.print(
      `The backup is complete: ${amountIn(totals)}.`,
      `It was made on ${manifest.createdAt} by version ${manifest.version} for ${manifest.baseUrl}.`,
    );
  },
});

const restore = command({
  words: 'backup restore',
  summary: 'Restores a backup into an empty database, an empty DATA_DIR and, with STORAGE_URL, an empty bucket.',
  parameters: { file: FILE },
  options: { 'key-file': KEY_FILE },
  example: 'backup restore /backups/svc.tar.zst.enc --key-file /root/backup.key',
  run: async (tools, { file }, { 'key-file': keyFile }) => {
    const { env, schema, signal } = tools;
    const key = await keyOf(tools, keyFile);
    const place = backupPlace(file, env);
    const store = storeOf(env);
    const { migrations, version } = await manifestOf(place, key); // a wrong file or key makes no database
    requireKnown(migrations, version, schema);
    const address = await tools.claim(env.databaseUrl);
    const { manifest, totals, ran } = await restoreBackup({ address, env, place, store, key, schema, signal });
    tools.print(`${amountIn(totals)} were restored.`);
    if (ran.length > 0) tools.print(`${counted(ran.length, 'migration')} brought the database up to date.`);
    if (manifest.baseUrl !== env.baseUrl) tools.print(`Start the server with BASE_URL=${manifest.baseUrl}`);
  },
});

const schedule = command({
  words: 'backup schedule',
  summary: 'Shows where the server writes a backup each day, the backups that are there, and what went wrong.',
  example: 'backup schedule',
  run: async (tools) => {
    const found = await (await tools.services()).get(ScheduledBackupsService).schedule();
    if (!found) {
      tools.print('The server makes no backups by itself: set BACKUP_FOLDER, and BACKUP_KEY_FILE to encrypt them.');
      return;
    }
    const { folder, names, problems } = found;
    const { days, weeks, months } = tools.env.backupRetention;
    const isEncrypted = tools.env.backupKeyFile !== undefined;
    tools.print(
      `Each day (UTC) into ${folder}, ${isEncrypted ? 'encrypted' : 'not encrypted'}.`,
      `The newest of ${days} days, ${weeks} weeks and ${months} months stay.`,
      ...names.map((name) => `  ${name}`),
    );
    if (problems.length > 0) throw new CommandError(problems.map((problem) => `WRONG: ${problem}`).join('\n'));
  },
});

const BUNDLED = 'bundled';

const move = command({
  words: 'database move',
  summary: 'Copies the database of a stopped server into another, empty one; goes on where it was interrupted.',
  parameters: { target: `postgres://user:password@host:5432/name, or ${BUNDLED} for the one in DATA_DIR.` },
  example: 'database move postgres://svc:secret@db.example/svc',
  run: async (tools, { target }) => {
    const { env, schema, signal } = tools;
    const targetUrl = target === BUNDLED ? undefined : urlOf(target);
    if (targetUrl === env.databaseUrl) throw new CommandError('The server has this database already.');
    requireDatabase(env);
    const from = await tools.claim(env.databaseUrl);
    const to = await tools.claim(targetUrl);
    const onTable = (name: string, rows: number, isNew: boolean) =>
      tools.print(`${isNew ? 'copied ' : 'skipped'}  ${name}: ${counted(rows, 'row')}`);
    const onChanged = () =>
      tools.print('The old database was changed since the earlier try: all of it is copied again.');
    const { version } = env;
    const { tables, rows } = await moveDatabase({ from, to, version, schema, signal, onTable, onChanged });
    tools.print(
      `${counted(rows, 'row')} of ${counted(tables, 'table')} are in the new database. The old one stays as it is.`,
      targetUrl === undefined
        ? 'Remove DATABASE_URL from the environment of the server (.env), then start it.'
        : `Set in the environment of the server (.env), then start it:\nDATABASE_URL=${target}`,
    );
  },
});

export const backupCommands = [create, verify, restore, schedule, move];

/** `5 rows and 2 files` */
function amountIn({ tables, files }: Totals): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return `${counted(rows, 'row')} and ${counted(files.count, 'file')}`;
}

/** @throws UsageError when it is no address of a PostgreSQL */
function urlOf(text: string): string {
  try {
    parseDatabaseUrl(text);
    return text;
  } catch (error) {
    throw new UsageError(`<target>: ${messageOf(error)}, or "${BUNDLED}".`);
  }
}

/** The bucket of the server's files. */
function storeOf(env: Env): ObjectStore | null {
  return env.storage ? openObjectStore(env.storage, env) : null;
}

async function keyOf({ env }: Tools, keyFile = env.backupKeyFile): Promise<Buffer | undefined> {
  return keyFile === undefined ? undefined : readBackupKey(resolve(keyFile));
}
