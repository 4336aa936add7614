import { userInfo } from 'node:os';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { fullDiskAt } from '../../src/platform/env/file-problem.js';
import { fileProblem, listenProblem } from '../../src/platform/index.js';
import { explain } from '../../src/run.js';
import { ask } from '../process/scratch.js';
import { runCtl, urlOf } from '../support/servers/ctl.js';
import { makeDatabase } from '../support/servers/database.js';

const us = userInfo().username;

it.each([
  ['EACCES', `The user ${us} may not use /srv/data. Give the folder to this user`],
  ['EPERM', `The system does not let the user ${us} change /srv/data.`],
  ['EROFS', '/srv/data is on a file system that is read-only. Mount it for writing'],
  ['ENOSPC', 'The disk is full: /srv/data could not be written. Free some space'],
  ['EDQUOT', `The quota of the user ${us} is used up: /srv/data could not be written.`],
  ['ENOTDIR', '/srv/data leads through a file where a folder is needed.'],
  ['EISDIR', '/srv/data is a folder, and a file is needed there.'],
  ['ELOOP', '/srv/data is a link that leads back to itself.'],
  ['ENAMETOOLONG', '/srv/data is a longer name than the system allows.'],
  ['EEXIST', '/srv/data is a file, and a folder is needed there.'],
])('a folder that is refused with %s is a sentence with what to do', (code, sentence) => {
  const error = Object.assign(new Error(`${code}: mkdir`), { code, syscall: 'mkdir', path: '/srv/data' });
  expect(fileProblem(error)?.message).toContain(sentence);
});

it('a folder without room is a full disk, whatever a program says there', async () => {
  expect((await fullDiskAt('/proc'))?.message).toContain('The disk is full: /proc could not be written.');
  expect(await fullDiskAt('/')).toBeUndefined();
});

it('leaves errors without a path, and missing files, as they are', () => {
  expect(fileProblem(Object.assign(new Error('listen'), { code: 'EACCES' }))).toBeUndefined();
  expect(fileProblem(Object.assign(new Error('open'), { code: 'ENOENT', path: '/srv/data' }))).toBeUndefined();
});

it.each([
  ['EADDRINUSE', 4000, 'another program listens there. Set PORT or HOST.'],
  ['EACCES', 443, 'ports below 1024 are for root. Set PORT=4000, and let a proxy listen there (docs/online.md).'],
  ['EACCES', 4000, 'the system does not allow it. Set PORT or HOST.'],
  ['EADDRNOTAVAIL', 4000, 'this machine does not have the address. Set HOST.'],
])('an address that is refused with %s at port %d is a sentence with what to do', (code, port, sentence) => {
  const error = Object.assign(new Error('listen'), { code, syscall: 'listen' });
  expect(listenProblem({ host: '127.0.0.1', port }, error)?.message).toBe(
    `Cannot listen on 127.0.0.1:${port}: ${sentence}`,
  );
});

it('an IPv6 address stands in brackets before its port', () => {
  const error = Object.assign(new Error('listen'), { code: 'EADDRINUSE', syscall: 'listen' });
  expect(listenProblem({ host: '::1', port: 4000 }, error)?.message).toContain('Cannot listen on [::1]:4000: ');
});

it('an error of PostgreSQL is a sentence with its message and code', () => {
  const refused = Object.assign(new pg.DatabaseError('no space in tablespace', 0, 'error'), { code: '58P01' });
  const sentence = 'PostgreSQL refuses: no space in tablespace (58P01).';
  expect([refused, new QueryFailedError('select', [], refused)].map(explain)).toEqual([sentence, sentence]);
  const lost = new QueryFailedError('select', [], new Error('Connection terminated unexpectedly'));
  expect(explain(lost)).toBe('The connection to PostgreSQL is lost: Connection terminated unexpectedly.');
  const fault = Object.assign(new pg.DatabaseError('column "tea" does not exist', 0, 'error'), { code: '42703' });
  for (const error of [fault, new Error('a fault of the program')]) expect(explain(error)).toContain('    at '); // its stack
});

it('a command that PostgreSQL refuses ends with that sentence', async () => {
  const database = await makeDatabase('template1');
  try {
    await ask(database.address, 'create table accounts (id text)');
    const env = { DATABASE_URL: urlOf(database.address), BASE_URL: 'https://svc.test' };
    expect(await runCtl(env, 'migrate')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The migration \w+ failed: relation "accounts" already exists \(42P07\)\.$/m),
    });
  } finally {
    await database.drop();
  }
});
