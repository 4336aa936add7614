import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScheduledBackupsService } from '../../../src/backup/index.js';
import { Worker } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { holding } from '../../support/locks.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { runCtl } from '../../support/servers/ctl.js';

const root = mkdtempSync(join(tmpdir(), 'svc-backups-'));
const folder = join(root, 'backups');
const env = { BACKUP_FOLDER: folder, BACKUP_KEY_FILE: join(root, 'key'), BACKUP_RETENTION: '2,0,0' };
writeFileSync(env.BACKUP_KEY_FILE, randomBytes(32).toString('hex'));

let app: TestApp;
beforeAll(async () => {
  app = await startApp(env);
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const ctl = (...args: string[]) => runCtl({ ...app.variables, ...env }, ...args);

/** Runs what is due after a start. */
async function runJobs(): Promise<void> {
  await app.get(Worker).enqueueRecurring();
  await app.drain();
}

it('a failed backup is shown by doctor until one was made', async () => {
  await runJobs();
  const reason = `BackupError: The folder ${folder} (BACKUP_FOLDER) cannot be read.`;
  expect((await ctl('doctor')).out).toContain(`WRONG  backups: the last try failed: ${reason}`);
  expect(await ctl('backup', 'schedule')).toMatchObject({ code: 1, err: expect.stringContaining(reason) });

  mkdirSync(folder);
  await runJobs();
  expect((await ctl('doctor')).out).toContain('ok     backups');
  expect(await ctl('backup', 'schedule')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/, encrypted\.\n.*\n {2}svc-/),
  });
});

it('a backup of a day to come is shown by doctor', async () => {
  const name = join(folder, 'svc-2999-01-01T000000Z.tar.zst');
  writeFileSync(name, '');
  expect((await ctl('doctor')).out).toContain(
    `backups: the newest one in ${folder} is of 2999-01-01, which is to come`,
  );
  rmSync(name);
});

it('one backup is made each day, and old ones are removed', async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const old = ['svc-2024-01-01T000000Z.tar.zst', 'svc-2024-01-02T000000Z.tar.zst'];
  const toCome = ['svc-2999-01-01T000000Z.tar.zst', 'svc-2999-01-02T000000Z.tar.zst'];
  const draft = 'svc-2024-01-03T000000Z.tar.zst.partial';
  for (const name of [...old, ...toCome, draft, 'mine.tar.zst']) writeFileSync(join(folder, name), '');
  await runJobs();
  const names = readdirSync(folder).sort();
  expect(names).toEqual(['mine.tar.zst', old[1], expect.stringMatching(/^svc-.*\.tar\.zst\.enc$/), ...toCome]);
  expect(await ctl('backup', 'verify', join(folder, names[2]!))).toMatchObject({ code: 0 });
  await runJobs();
  expect(readdirSync(folder).sort()).toEqual(names);
});

it('a backup that is still written when its next try begins is finished', async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const service = app.get(ScheduledBackupsService);
  await holding(app, async (holder) => {
    await holder.query('lock table statuses in access exclusive mode');
    const making = service.make();
    const drafts = await eventually(() => {
      const names = readdirSync(folder);
      expect(names).toEqual([expect.stringMatching(/\.partial$/)]);
      return names;
    });
    await service.make();
    expect(readdirSync(folder)).toEqual(drafts);
    await holder.query('commit');
    await making;
  });
  const names = readdirSync(folder);
  expect(names).toEqual([expect.stringMatching(/\.enc$/)]);
  expect(await ctl('backup', 'verify', join(folder, names[0]!))).toMatchObject({ code: 0 });
});
