import { FollowsService } from '../../../src/accounts/index.js';
import {
  INBOX_HOST_ADDRESS,
  type InboxHost,
  type Received,
  startInboxHost,
} from '../../support/federation/inbox-host.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

/*
 * What is sent about accounts of other servers that are hidden here: nothing but what ends.
 */

const ALICE = 'https://svc.test/users/alice';
const STATUSES = '/api/v1/statuses';

const app = useApp({ people: ['alice'], env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
let far: InboxHost;
let alice: Client;
let zoe: string;

beforeEach(async () => {
  alice = await app.world.as('alice');
  far = await startInboxHost();
  zoe = await far.account(app, 'zoe');
});
afterEach(() => far.close());

/** The activities that the host received after all jobs. */
async function sent(): Promise<Received['activity'][]> {
  await app.drain();
  return far.received().map(({ activity }) => activity);
}

it.each([
  ['that was deactivated here', 'deactivated_at = now()', 1],
  ['that was deleted here', 'deactivated_at = now(), deleted_at = now()', 1],
  ['that its own server suspended', 'deactivated_at = now(), suspended_by_server = true', 0],
])('a post is deleted on the server of an account %s', async (_what, state, deletes) => {
  const { id } = await post(app, 'alice', `hello @zoe@${far.host}`, { visibility: 'direct' });
  await sent();
  await app.sql(`update accounts set ${state} where id = $1`, [zoe]);
  await alice.delete(`${STATUSES}/${id}`).expect(200);
  expect((await sent()).map(({ type }) => type)).toEqual(Array(deletes).fill('Delete'));
  await post(app, 'alice', `hello @zoe@${far.host}`, { visibility: 'direct' });
  expect(await sent()).toEqual([]);
});

it.each<[string, (host: string) => [string, object]]>([
  ['that account', (host) => ['users', { nicknames: [`zoe@${host}`] }]],
  ['its server', (host) => [`instances/${host}`, {}]],
])('a follow ends on both sides when the staff deletes %s', async (_what, wayTo) => {
  await app
    .get(FollowsService)
    .follow(zoe, app.world.id('alice'), {}, { kind: 'remote', uri: `${far.uri('zoe')}#follow` });
  await app.get(FollowsService).follow(app.world.id('alice'), zoe);
  await sent();
  await app.get(FollowsService).accept(zoe, app.world.id('alice'));
  await app.world.person('root', { admin: true });
  const [path, values] = wayTo(far.host);
  await ok((await app.world.as('root', 'admin')).delete(`/api/v1/svc/admin/${path}`, { ...values }));
  const pair = (actor: string, object: string) => ({ type: 'Follow', actor, object });
  expect((await sent()).sort((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
    { type: 'Reject', actor: ALICE, object: pair(far.uri('zoe'), ALICE) },
    { type: 'Undo', actor: ALICE, object: pair(ALICE, far.uri('zoe')) },
  ]);
});
