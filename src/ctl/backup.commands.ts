import { resolve } from 'node:path';
import { createBackup, readBackupKey, restoreBackup, verifyBackup } from '../backup/index.js';
import { command, type Tools } from './command.js';
import { counted } from './output.js';

const FILE = 'The path of the backup.';
const KEY_FILE = {
  type: 'string',
  help: 'The file with the key of the encrypted backup; BACKUP_KEY_FILE unless given.',
} as const;

const create = command({
  words: 'backup create',
  summary: 'Writes a backup of the database, the files and the secret key into one file, also while the server runs.',
  parameters: { file: 'The path of the new file.' },
  options: { 'key-file': KEY_FILE },
  example: 'backup create /backups/svc.tar.zst.enc --key-file /root/backup.key',
  run: async (tools, { file }, { 'key-file': keyFile }) => {
    const { env, signal } = tools;
    const key = await keyOf(tools, keyFile);
    const { size, totals } = await createBackup({
      address: await tools.database(),
      env,
      path: resolve(file),
      key,
      signal,
    });
    const rows = Object.values(totals.tables).reduce((sum, table) => sum + table.rows, 0);
    tools.print(`${counted(rows, 'row')} and ${counted(totals.files.count, 'file')} are in ${file} (${size} bytes).`);
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
    const { manifest, totals } = await verifyBackup(resolve(file), await keyOf(tools, keyFile), tools.signal);
    const rows = Object.values(totals.tables).reduce((sum, table) => sum + table.rows, 0);
    tools.print(
      `The backup is complete: ${counted(rows, 'row')} and ${counted(totals.files.count, 'file')}.`,
      `It was made on ${manifest.createdAt} by version ${manifest.version} for ${manifest.baseUrl}.`,
    );
  },
});

const restore = command({
  words: 'backup restore',
  summary: 'Restores a backup into an empty database and an empty DATA_DIR.',
  parameters: { file: FILE },
  options: { 'key-file': KEY_FILE },
  example: 'backup restore /backups/svc.tar.zst.enc --key-file /root/backup.key',
  run: async (tools, { file }, { 'key-file': keyFile }) => {
    const { env, schema, signal } = tools;
    const key = await keyOf(tools, keyFile);
    const path = resolve(file);
    const address = await tools.claim(env.databaseUrl);
    const { manifest, totals, ran } = await restoreBackup({ address, env, path, key, schema, signal });
    const rows = Object.values(totals.tables).reduce((sum, table) => sum + table.rows, 0);
    tools.print(`${counted(rows, 'row')} and ${counted(totals.files.count, 'file')} were restored.`);
    if (ran.length > 0) tools.print(`${counted(ran.length, 'migration')} brought the database up to date.`);
    if (manifest.baseUrl !== env.baseUrl) tools.print(`Start the server with BASE_URL=${manifest.baseUrl}`);
  },
});

export const backupCommands = [create, verify, restore];

async function keyOf({ env }: Tools, keyFile = env.backupKeyFile): Promise<Buffer | undefined> {
  return keyFile === undefined ? undefined : readBackupKey(resolve(keyFile));
}
