import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/index.js';
import { makeDatabase } from '../support/database.js';

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** What a database says to everybody when it is shut down or its main process was killed. */
function fatal(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Stands before a database and, when armed, lets a connection die in the packet that says it is ready. */
class DyingGate {
  armed = false;
  deaths = 0;
  private readonly server: Server;

  constructor(database: string) {
    this.server = createServer((client) => {
      const inside = connect(database);
      client.pipe(inside);
      inside.on('data', (chunk) => {
        const dies = this.armed && chunk.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY);
        client.write(dies ? Buffer.concat([chunk, fatal()]) : chunk);
        if (!dies) return;
        this.deaths += 1;
        client.end();
        inside.destroy();
      });
      for (const [one, other] of [
        [client, inside],
        [inside, client],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve) =>
      this.server.listen(0, '127.0.0.1', () => resolve((this.server.address() as AddressInfo).port)),
    );
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

describe('J1 connections to the database', () => {
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let gate: DyingGate;
  let source: DataSource;

  beforeAll(async () => {
    database = await makeDatabase();
    const { host, port } = database.address;
    gate = new DyingGate(join(host, `.s.PGSQL.${port}`));
    const address = { ...database.address, host: '127.0.0.1', port: await gate.listen() };
    source = await new DataSource(dataSourceOptions(address, { entities: [], migrations: [] })).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await gate.close();
    await database.drop();
  });

  it('are replaced when they die in the moment they are handed out, and the process lives on', async () => {
    const holder = source.createQueryRunner();
    await holder.connect(); // so that the next one needs a new connection
    gate.armed = true;
    const unlucky = source.createQueryRunner();
    await expect(unlucky.connect().then(() => unlucky.query('select 1'))).rejects.toThrow();
    await unlucky.release();
    gate.armed = false;
    expect(gate.deaths).toBe(1);

    expect(await source.query('select 1 as one')).toEqual([{ one: 1 }]);
    await holder.release();
  });
});

describe('a database that its operator has set up for other programs', () => {
  it('tells times and bytes as any other', async () => {
    const database = await makeDatabase();
    const options = dataSourceOptions(database.address, { entities: [], migrations: [] });
    const operator = await new DataSource(options).initialize();
    for (const setting of [`DateStyle = 'German, DMY'`, `TimeZone = 'Asia/Kathmandu'`, `bytea_output = 'escape'`]) {
      await operator.query(`alter database ${database.address.database} set ${setting}`);
    }
    await operator.destroy();
    const source = await new DataSource(options).initialize();
    const read = `select timestamptz '2026-05-01T10:20:30.1Z' as time, date '2026-05-01' as day, '\\x00ff'::bytea as bytes`;
    expect(await source.query(read)).toEqual([
      { time: '2026-05-01T10:20:30.100Z', day: '2026-05-01', bytes: Buffer.from([0, 255]) },
    ]);
    await source.destroy();
    await database.drop();
  });
});
