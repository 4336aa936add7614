import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { type DatabaseAddress, dataSourceOptions, leaseDatabase } from '../../src/platform/index.js';
import { ask, Scratch } from '../process/scratch.js';
import { makeDatabase } from '../support/servers/database.js';
import { freePort } from '../support/servers/free-port.js';
import { useOpened, useStarted } from '../support/servers/use.js';

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
/** It refuses to run as root. */
const USER = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];

/** PgBouncer with its own settings, before a database whose role has settings that nobody wants. */
async function startPooler() {
  const database = await makeDatabase();
  const { host, port, user, password, database: name } = database.address;
  for (const setting of [`timezone to 'Asia/Tokyo'`, `default_transaction_isolation to 'serializable'`])
    await ask(database.address, `alter role ${user} in database ${name} set ${setting}`);
  const gate = createServer((client) => client.pipe(connect(join(host, `.s.PGSQL.${port}`))).pipe(client)); // of TCP
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const scratch = new Scratch();
  const listening = await freePort();
  const target = `host=127.0.0.1 port=${(gate.address() as AddressInfo).port} dbname=${name}`;
  const write = (file: string, lines: readonly string[]) => {
    writeFileSync(join(scratch.root, file), lines.join('\n'), { mode: 0o644 });
    return join(scratch.root, file);
  };
  const users = write('users.txt', [`"${user}" "${password}"`]);
  const settings = write('pgbouncer.ini', [
    '[databases]',
    ...['session', 'transaction'].map((mode) => `${mode} = ${target} pool_mode=${mode}`),
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${listening}`, 'auth_type = plain', `auth_file = ${users}`],
    'unix_socket_dir =',
  ]);
  await scratch.run('pgbouncer', [...USER, settings]).line(/process up/);
  const address = (mode: string): DatabaseAddress => ({
    ...{ host: '127.0.0.1', port: listening, user, password, database: mode },
  });
  const close = async () => {
    await scratch.remove();
    gate.close();
    await database.drop();
  };
  return { address, close };
}

const describeWithPooler = isInstalled ? describe : describeWithoutPooler;

function describeWithoutPooler(name: string, cases: () => void): void {
  process.stderr.write(`Skipped, since pgbouncer is not on PATH: ${name}\n`);
  describe.skip(name, cases);
}

describeWithPooler('behind PgBouncer', () => {
  const pooler = useStarted(startPooler);
  const urlOf = (mode: string) => {
    const { host, port, user, password, database } = pooler.address(mode);
    return `postgres://${user}:${password}@${host}:${port}/${database}`;
  };
  const opened = useOpened();
  const lease = async (mode: string) => {
    const held = await leaseDatabase({ env: { databaseUrl: urlOf(mode), dataDir: '' }, log: () => undefined });
    return { address: held.address, close: () => held.release() };
  };

  it('connections have the settings of the server, in session mode', async () => {
    const { address } = await opened(lease('session'));
    const source = new DataSource(dataSourceOptions(address, { entities: [], migrations: [] }));
    await opened(source.initialize().then(() => ({ close: () => source.destroy() })));
    const found = await source.query<object[]>(
      `select current_setting('timezone') as zone, current_setting('transaction_isolation') as isolation`,
    );
    expect(found).toEqual([{ zone: 'UTC', isolation: 'read committed' }]);
  });

  it('a start is refused in transaction mode, where connections share sessions', async () => {
    await expect(opened(lease('transaction'))).rejects.toThrow(/: use its session mode\.$/);
  });
});
