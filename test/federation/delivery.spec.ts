import { createHash, verify } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { HostsService } from '../../src/federation/index.js';
import { DeliveryService } from '../../src/federation/outbox/delivery.service.js';
import { workFields } from '../../src/platform/tracing/work.js';
import { INBOX_HOST_ADDRESS, type InboxHost, type Received, startInboxHost } from '../support/federation/inbox-host.js';
import { makeFollows } from '../support/fixtures/factories.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
let far: InboxHost;

beforeEach(async () => {
  await app.world.person('alice');
  far = await startInboxHost();
});
afterEach(() => far.close());

/** Makes accounts of the far host follow alice. */
async function followedBy(...names: string[]): Promise<void> {
  const ids = await Promise.all(names.map((name) => far.account(app, name)));
  await makeFollows(app, ids, app.world.id('alice'));
}

const deliveries = () =>
  app.sql<{ attempts: number; inbox: string }>('select attempts, inbox from deliveries order by id');
const hostRow = async () => (await app.sql<HostRow>('select * from hosts where host = $1', [far.host]))[0];
interface HostRow {
  readonly state: string;
  readonly signature: string | null;
  readonly unreachable_since: string | null;
  readonly gone_inboxes: string[];
}

/** Makes the next attempts due and runs them. */
async function later(): Promise<void> {
  await app.sql('update deliveries set next_at = now()');
  await app.sql('update hosts set probe_at = now()');
  await app.get(DeliveryService).resumeHosts();
  await app.drain();
}

async function publicKeyOf(name: string): Promise<string> {
  const [row] = await app.sql<{ public_pem: string }>('select public_pem from keys where account_id = $1', [
    app.world.id(name),
  ]);
  return row!.public_pem;
}

/** Whether a draft-cavage signature covers the request and is valid. */
function isSigned({ path, headers, body }: Received, pem: string): boolean {
  const fields = new Map(
    [...String(headers['signature']).matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  const names = fields.get('headers')!.split(' ');
  const text = names.map((name) => `${name}: ${name === '(request-target)' ? `post ${path}` : String(headers[name])}`);
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  const covers = ['(request-target)', 'host', 'date', 'digest'].every((name) => names.includes(name));
  const signature = Buffer.from(fields.get('signature')!, 'base64');
  return covers && headers['digest'] === digest && verify('sha256', Buffer.from(text.join('\n')), pem, signature);
}

async function publish(text: string): Promise<void> {
  await post(app, 'alice', text);
  await app.drain();
}

describe('a delivery', () => {
  it('is signed by the author and deleted from the table after the host answers', async () => {
    await followedBy('zoe');
    let rows = -1;
    far.answer(async () => {
      rows = (await deliveries()).length;
      return 202;
    });
    await publish('hello');
    const [received] = far.received();
    expect(received?.path).toBe('/inbox');
    expect(received?.headers['content-type']).toBe('application/activity+json; charset=utf-8');
    expect(received?.headers['signature']).toContain('keyId="https://svc.test/users/alice#main-key"');
    expect(isSigned(received!, await publicKeyOf('alice'))).toBe(true);
    expect(rows).toBe(1);
    expect(await deliveries()).toEqual([]);
    expect(await hostRow()).toMatchObject({ state: 'ok', signature: 'cavage' });
  });

  it('stays in the table when its job fails, and is sent again', async () => {
    await followedBy('zoe');
    await post(app, 'alice', 'hello');
    await app.sql(`create function die() returns trigger language plpgsql as $$ begin raise 'dead'; end $$`);
    await app.sql('create trigger dies before delete on deliveries for each row execute function die()');
    await app.drain();
    expect(await deliveries()).toHaveLength(1);
    await app.sql('drop function die() cascade');
    await app.sql('update jobs set run_at = now()');
    await app.drain();
    const [first, second] = far.received();
    expect(second?.activity.id).toBe(first?.activity.id);
    expect(await deliveries()).toEqual([]);
  });

  it('is repeated with the other signature format after 401, and the host remembers the format it accepts', async () => {
    await followedBy('zoe');
    far.answer(({ headers }) => (headers['signature-input'] === undefined ? 401 : 202));
    await publish('one');
    expect(far.received().map(({ headers }) => 'signature-input' in headers)).toEqual([false, true]);
    expect(await hostRow()).toMatchObject({ signature: 'rfc9421' });
    await publish('two');
    expect(far.received().map(({ headers }) => 'signature-input' in headers)).toEqual([true]);
  });

  it.each([401, 400])('waits when the host cannot fetch its key, also where the other form gets %s', async (status) => {
    await followedBy('zoe');
    far.answer(({ headers }) => (headers['signature-input'] === undefined ? 401 : status));
    await publish('one');
    expect([far.received().length, await deliveries()]).toMatchObject([2, [{ attempts: 1 }]]);
    far.answer(() => 202);
    await later();
    expect([far.types(), await deliveries()]).toEqual([['Create'], []]);
  });

  it.each([400, 403])('is given up after %s to a first one and 401 to the other form', async (status) => {
    await followedBy('zoe');
    far.answer(({ headers }) => (headers['signature-input'] === undefined ? status : 401));
    await publish('one');
    expect([far.received().length, await deliveries()]).toEqual([2, []]);
  });

  it.each([400, 404, 422])('is given up after %s', async (status) => {
    await followedBy('zoe');
    await far.account(app, 'known');
    far.answer(() => 202);
    await publish('one');
    far.received();
    far.answer(() => status);
    await publish('two');
    expect(far.received()).toHaveLength(1);
    expect(await deliveries()).toEqual([]);
    expect(await hostRow()).toMatchObject({ state: 'ok' });
  });

  it('is logged under the id of the request that it follows from, also beside others', async () => {
    await followedBy('zoe');
    far.answer(() => 404);
    const alice = await app.world.as('alice');
    const requestOf = async (status: string) =>
      (await alice.post('/api/v1/statuses').send({ status }).expect(200)).headers['x-request-id'];
    const requests = [await requestOf('one'), await requestOf('two')];
    const logged: object[] = [];
    const record = (fields: object, ...[message]: string[]) => logged.push({ ...fields, ...workFields(), message });
    Logger.overrideLogger({ log: record, warn: record, error: record });
    try {
      await app.drain();
    } finally {
      Logger.overrideLogger(['error']);
    }
    const givenUp = requests.map((requestId): unknown =>
      expect.objectContaining({ message: 'A delivery was given up', host: far.host, requestId }),
    );
    expect(logged).toEqual(expect.arrayContaining(givenUp));
  });

  it('is retried after 500 for two days without delaying other deliveries', async () => {
    await followedBy('zoe');
    far.answer(({ body }) => (body.includes('poison') ? 500 : 202));
    await publish('poison');
    await publish('bread');
    expect(far.received()).toHaveLength(2);
    expect(await deliveries()).toMatchObject([{ attempts: 1 }]);
    expect(await hostRow()).toMatchObject({ state: 'ok' });
    await app.sql(`update deliveries set created_at = now() - interval '3 days'`);
    await later();
    expect(far.received()).toHaveLength(1);
    expect(await deliveries()).toEqual([]);
  });

  it.each([502, 503, 'hang up'] as const)('S13 that fails by itself with %s delays no other', async (failure) => {
    await followedBy('zoe');
    far.answer(({ body }) => (body.includes('poison') ? failure : 202));
    await publish('bread');
    await publish('poison');
    far.received();
    for (const text of ['one', 'two']) {
      await publish(text);
      expect(far.types()).toEqual(['Create']);
    }
    await later();
    expect(far.types()).toEqual(['Create']); // once more for itself
    await publish('three');
    expect(far.types()).toEqual(['Create']);
    expect(await deliveries()).toMatchObject([{ attempts: 2 }]);
    expect(await hostRow()).toMatchObject({ state: 'ok' });
  });

  it('S13 that fails after another failed shows that the host cannot be reached', async () => {
    await followedBy('zoe');
    await publish('bread');
    far.answer(() => 'hang up');
    await publish('one');
    expect(await hostRow()).toMatchObject({ state: 'ok' });
    await publish('two');
    expect(await hostRow()).toMatchObject({ state: 'failing' });
    far.received();
    await publish('three');
    expect(far.received()).toEqual([]);
    far.answer(() => 202);
    await later();
    expect(far.received()).toHaveLength(3);
  });

  it('waits as long as Retry-After says', async () => {
    await followedBy('zoe');
    far.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    await publish('one');
    const [{ wait } = { wait: 0 }] = await app.sql<{ wait: number }>(
      `select extract(epoch from probe_at - now())::int as wait from hosts where unreachable_since is null`,
    );
    expect(wait).toBeGreaterThan(3_500);
    await publish('two');
    expect(far.received()).toHaveLength(1);
    far.answer(() => 202);
    await later();
    expect(far.received()).toHaveLength(2);
  });

  it.each([
    [503, 'dead'],
    [429, 'failing'],
  ])('waits for two days at most while its host answers %i with Retry-After', async (status, state) => {
    await followedBy('zoe');
    far.answer(() => ({ status, headers: { 'retry-after': '60' } }));
    await publish('one');
    await later();
    expect((await hostRow())?.unreachable_since === null).toBe(state === 'failing');
    await app.sql(`update deliveries set created_at = now() - interval '3 days'`);
    await later();
    expect(await deliveries()).toEqual([]);
    await app.sql(`update hosts set unreachable_since = unreachable_since - interval '8 days'`);
    await publish('two');
    await later();
    expect(await hostRow()).toMatchObject({ state });
  });

  it('goes on when a host that was away answers 429', async () => {
    await followedBy('zoe');
    let status = 503;
    far.answer(() => ({ status, headers: { 'retry-after': '60' } }));
    for (const text of ['one', 'two', 'three', 'four']) await post(app, 'alice', text);
    await app.drain();
    expect(await hostRow()).toMatchObject({ unreachable_since: null }); // several at the same moment are one sign
    await later();
    expect((await hostRow())?.unreachable_since).not.toBeNull();
    status = 429;
    await later();
    expect(await hostRow()).toMatchObject({ state: 'failing', unreachable_since: null });
  });

  it('is not sent to an inbox that has answered 410', async () => {
    await followedBy('zoe');
    far.answer(() => 410);
    await publish('one');
    expect(await hostRow()).toMatchObject({ gone_inboxes: [`http://${far.host}/inbox`] });
    await publish('two');
    expect(far.received()).toHaveLength(1);
    expect(await deliveries()).toEqual([]);
  });

  it('is one of at most four concurrent deliveries to a host', async () => {
    await followedBy('zoe');
    far.answer(() => 'hang up');
    for (let n = 0; n < 8; n += 1) await post(app, 'alice', `post ${n}`);
    await app.drain();
    far.received();
    const { promise: four, resolve } = Promise.withResolvers<number>();
    let [first, open, most] = [true, 0, 0];
    far.answer(async () => {
      if (first) {
        first = false;
        return 202; // sent alone, because the host was unreachable before
      }
      most = Math.max(most, ++open);
      if (open === 4) resolve(202);
      await four;
      open -= 1;
      return 202;
    });
    await later();
    expect(far.received()).toHaveLength(8);
    expect(most).toBe(4);
  });
});

it('J7 a job ends after some of many deliveries and leaves the rest to another', async () => {
  const many = 250;
  await followedBy('zoe');
  far.answer(() => 'hang up');
  await publish('one');
  far.received();
  await app.sql(
    `insert into deliveries (host, inbox, activity_id, object)
     select host, inbox || '?' || n, activity_id, n from deliveries, generate_series(2, $1) n`,
    [many],
  );
  await app.sql(`update deliveries set next_at = now()`);
  await app.sql(`update hosts set state = 'ok', unreachable_since = null, reached_at = now()`);
  far.answer(() => 202);
  await app.get(DeliveryService).deliver({ host: far.host });
  const left = (await deliveries()).length;
  expect([left > 0, left < many]).toEqual([true, true]);
  expect(await app.sql(`select name from jobs where name like 'deliver.%'`)).toEqual([{ name: 'deliver.host' }]);
  await app.drain();
  expect(await deliveries()).toEqual([]);
  expect(far.received()).toHaveLength(many);
});

describe('a host that cannot be reached', () => {
  beforeEach(async () => {
    await followedBy('zoe');
    far.answer(() => 'hang up');
  });

  it('has no delivery jobs, is probed with one delivery, and receives all in order when it is back', async () => {
    const { id } = await post(app, 'alice', 'one');
    await app.drain();
    const alice = await app.world.as('alice');
    await ok(alice.put(`/api/v1/statuses/${id}`, { status: 'one more' }));
    await app.drain();
    await post(app, 'alice', 'something else');
    await ok(alice.delete(`/api/v1/statuses/${id}`));
    await app.drain();
    expect(far.received()).toHaveLength(1);
    expect(await deliveries()).toHaveLength(4);
    expect(await app.sql(`select name from jobs where name like 'deliver.%'`)).toEqual([]);
    expect(await hostRow()).toMatchObject({ state: 'failing' });
    await later();
    expect(far.received()).toHaveLength(1);
    far.answer(() => 202);
    await later();
    const got = far.received();
    const about = (type: string) =>
      got.findIndex(({ activity, body }) => activity.type === type && !body.includes('something else'));
    expect(got).toHaveLength(4);
    expect([about('Create'), about('Update'), about('Delete')]).toEqual(
      [about('Create'), about('Update'), about('Delete')].toSorted((a, b) => a - b),
    );
    expect(await hostRow()).toMatchObject({ state: 'ok', unreachable_since: null });
  });

  it('receives nothing after a week until it contacts this server again', async () => {
    await publish('one');
    await app.sql(`update hosts set unreachable_since = now() - interval '8 days'`);
    await later();
    expect(await hostRow()).toMatchObject({ state: 'dead' });
    expect(await deliveries()).toEqual([]);
    await publish('two');
    expect(far.received()).toHaveLength(2);
    far.answer(() => 202);
    await app.get(HostsService).markReachable(far.host);
    await publish('three');
    expect(far.types()).toEqual(['Create']);
  });

  it('does not receive deliveries that waited for more than two days', async () => {
    await publish('old');
    await publish('new');
    await app.sql(
      `update deliveries set created_at = now() - interval '3 days' where id = (select min(id) from deliveries)`,
    );
    await later();
    expect(await deliveries()).toHaveLength(1);
  });

  it('does not delay deliveries to hosts that work', async () => {
    const near = await startInboxHost();
    await makeFollows(app, [await near.account(app, 'amy')], app.world.id('alice'));
    await publish('one');
    expect(near.received()).toHaveLength(1);
    await post(app, 'alice', 'two');
    const jobs = await app.sql(`select name, queue from jobs where name like 'deliver.%'`);
    await app.drain();
    expect(jobs).toEqual([]); // the job of the event creates them later
    expect(near.received()).toHaveLength(1);
    expect(far.received()).toHaveLength(1);
    await near.close();
  });
});
