import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Settings } from '../../../src/config/index.js';
import { eventually } from '../../support/eventually.js';
import { type Member, type Server, settle, startServer } from '../../support/federation/servers.js';
import { runCtl, urlOf } from '../../support/servers/ctl.js';
import { freePort } from '../../support/servers/free-port.js';

let servers: Server[];
let ours: Server;
let alice: Member;
let bob: Member;
let carol: Member;
/** The host of the server of bob. */
let loud: string;

beforeAll(async () => {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const others = (port: number) => ports.filter((other) => other !== port);
  servers = await Promise.all(ports.map((port) => startServer(port, others(port))));
  ours = servers[0]!;
  [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name, at) => servers[at]!.member(name)))) as [
    Member,
    Member,
    Member,
  ];
  loud = new URL(servers[1]!.url).host;
  for (const other of [bob, carol]) {
    await alice.follow(other);
    await other.follow(alice);
  }
  await bob.follow(carol);
  await carol.follow(bob);
  await settle(...servers);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const ctl = async (...args: string[]) => {
  const { address, env } = ours;
  return runCtl({ DATABASE_URL: urlOf(address), DATA_DIR: env.dataDir, BASE_URL: env.baseUrl }, ...args);
};
const outputOf = async (...args: string[]) => {
  const { code, out, err } = await ctl(...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};
/** Waits until a job of the running server has applied a command. */
async function expectBlocked(hosts: readonly (readonly [string, string])[]): Promise<void> {
  await ours.drain();
  await eventually(() => expect(ours.get(Settings).get('mrf_simple.reject')).toEqual(hosts));
}

it('a block stops posts in both directions, as its preview says, and affects no other server', async () => {
  const [before, kept] = [await bob.write('from the loud server'), await carol.write('from the other one')];
  await settle(...servers);
  await ours.sql(
    `insert into deliveries (host, inbox, activity_id, object)
     select $1, 'http://' || $1 || '/inbox', max(id), 'an object' from activities`,
    [loud],
  );
  expect(JSON.parse(await outputOf('blocks', 'preview', loud, '--json'))).toEqual({
    hosts: [loud],
    accounts: 1,
    posts: 1,
    followed: 1,
    followers: 1,
    deliveries: 1,
    people: ['alice'],
  });
  expect(await outputOf('blocks', 'preview', loud)).toMatch(/1 follow by people here[^]*1 activity on the way there/);
  await ours.sql('delete from deliveries');
  expect(await outputOf('blocks', 'add', loud, '--reason', 'too loud')).toBe(`${loud} is blocked.`);
  await expectBlocked([[loud, 'too loud']]);
  const [cut, passes] = [await bob.write('cut'), await carol.write('passes')];
  const mine = await alice.write('to all');
  await settle(...servers);
  expect(await alice.copyOf(cut)).toBeUndefined();
  expect(await alice.copyOf(passes)).toBeDefined();
  expect([await bob.copyOf(mine), (await carol.copyOf(mine)) !== undefined]).toEqual([undefined, true]);
  expect([await carol.copyOf(cut), await bob.copyOf(passes)]).toEqual([expect.anything(), expect.anything()]);
  expect([await alice.copyOf(before), await alice.copyOf(kept)]).toEqual([expect.anything(), expect.anything()]);
  expect(await outputOf('blocks', 'remove', loud)).toBe(`${loud} is not blocked any more.`);
  await expectBlocked([]);
  const again = await bob.write('again');
  await settle(...servers);
  expect(await alice.copyOf(again)).toBeDefined();
  expect(
    (await ours.sql<{ message: string }>('select message from moderation_log order by id')).map((row) => row.message),
  ).toEqual([
    expect.stringContaining(`blocked or limited servers: ${loud}`),
    expect.stringContaining(`lifted the blocks of servers: ${loud}`),
  ]);
});

it('block lists can be imported from files and exported', async () => {
  const file = join(ours.env.dataDir, 'blocks.csv');
  await writeFile(file, '#domain,#severity,#public_comment\na.example,suspend,spam\nb.example,silence,\n');
  expect(await outputOf('blocks', 'import', file, '--dry-run')).toContain('2 servers would be added.');
  await expectBlocked([]);
  expect(await outputOf('blocks', 'import', file)).toContain('2 servers were added.');
  await expectBlocked([['a.example', 'spam']]);
  expect(await outputOf('blocks', 'import', file)).toBe('0 servers were added.');
  expect(await outputOf('blocks', 'list')).toMatch(
    /^a\.example +reject +spam\nb\.example +federated_timeline_removal$/,
  );
  const csv = await outputOf('blocks', 'export');
  for (const host of ['a.example', 'b.example']) await outputOf('blocks', 'remove', host);
  await writeFile(file, csv);
  await outputOf('blocks', 'import', file);
  expect(await outputOf('blocks', 'export')).toBe(csv);
  await writeFile(file, 'c.example\nno host\n');
  expect(await ctl('blocks', 'import', file)).toEqual({ code: 1, out: '', err: 'Line 2: "no host" is no host' });
  await expectBlocked([['a.example', 'spam']]);
  await writeFile(file, '127.0.0.1\n');
  expect((await ctl('blocks', 'import', file)).err).toBe('127.0.0.1 is this server');
  expect((await ctl('blocks', 'add', '127.0.0.1')).err).toBe('127.0.0.1 is this server');
  expect((await ctl('blocks', 'add', 'https://a.example')).err).toBe('"https://a.example" is no host');
  const log = await ours.sql('select id from moderation_log');
  expect(await outputOf('blocks', 'add', 'A.example', '--reason', 'again')).toBe('A.example was blocked before.');
  expect(await ours.sql('select id from moderation_log')).toHaveLength(log.length);
  await Promise.all(['d.example', 'e.example', 'f.example'].map((host) => outputOf('blocks', 'add', host)));
  for (const host of ['d.example', 'e.example', 'f.example']) expect(await outputOf('blocks', 'list')).toContain(host);
});
