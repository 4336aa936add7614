import { hostname } from 'node:os';
import pg from 'pg';
import { LockSession, withAdvisoryLock } from '../../src/platform/database/advisory-lock.js';
import type { DatabaseAddress } from '../../src/platform/index.js';
import { ask } from './scratch.js';

const address = JSON.parse(process.env['TEST_DATABASE_ADDRESS'] ?? '{}') as DatabaseAddress;

describe('withAdvisoryLock', () => {
  it('runs one task at a time, and the next one even when the first one failed', async () => {
    const steps: string[] = [];
    const [begun, gate, waits] = [1, 2, 3].map(() => Promise.withResolvers<undefined>());
    const first = withAdvisoryLock(address, 'spec.one', async () => {
      steps.push('first begins');
      begun?.resolve(undefined);
      await gate?.promise;
      steps.push('first fails');
      throw new Error('failed');
    });
    await begun?.promise;
    const onWait = () => waits?.resolve(undefined);
    const second = withAdvisoryLock(address, 'spec.one', () => Promise.resolve(steps.push('second')), { onWait });
    await waits?.promise;
    gate?.resolve(undefined);
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(steps).toEqual(['first begins', 'first fails', 'second']);
  });

  it('does not block tasks with another lock', async () => {
    const nested = () => withAdvisoryLock(address, 'spec.inner', () => Promise.resolve('done'));
    expect(await withAdvisoryLock(address, 'spec.outer', nested)).toBe('done');
  });
});

describe('a lock session', () => {
  it('tells the machine of a holder, also when its name begins that of this one', async () => {
    const holder = new pg.Client({ ...address, application_name: `svc locks 4711@${hostname().slice(0, -1)}` });
    await holder.connect();
    await holder.query(`select pg_advisory_lock(hashtextextended('spec.holder', 0))`);
    await using here = await LockSession.open(address);
    const found = await here.holderOf('spec.holder');
    await here.tryLock('spec.own');
    await holder.end();
    expect(found).toEqual({ isServer: true, process: `process 4711 on ${hostname().slice(0, -1)}` });
    expect(await here.holderOf('spec.own')).toEqual({ isServer: true, process: `process ${process.pid}` });
  });

  it('shares a lock with other shared holders, but not with an exclusive holder', async () => {
    await using one = await LockSession.open(address);
    await using two = await LockSession.open(address);
    await using alone = await LockSession.open(address);
    expect([await one.tryShare('spec.shared'), await two.tryShare('spec.shared')]).toEqual([true, true]);
    expect(await alone.tryLock('spec.shared')).toBe(false);
  });

  it('reports the end of its connection, which releases the lock', async () => {
    const holder = await LockSession.open(address);
    expect(await holder.tryLock('spec.end')).toBe(true);
    const { rows } = await holder.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await ask(address, `select pg_terminate_backend(${rows[0]?.pid ?? 0})`);
    await holder.ended;
    await using heir = await LockSession.open(address);
    expect(await heir.tryLock('spec.end')).toBe(true);
    await holder.close();
  });
});
