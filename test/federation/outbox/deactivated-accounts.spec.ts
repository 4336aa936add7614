import { FollowsService, ProfileService, UsersService } from '../../../src/accounts/index.js';
import { PollsService } from '../../../src/statuses/index.js';
import {
  INBOX_HOST_ADDRESS,
  type InboxHost,
  type Received,
  startInboxHost,
} from '../../support/federation/inbox-host.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

/** What begins or changes about an account while it is deactivated takes effect once it is activated. */
describe('Of a deactivated account', () => {
  const app = useApp({ people: ['alice', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
  let far: InboxHost;
  let me: string;

  beforeEach(async () => {
    far = await startInboxHost();
    me = app.world.id('alice');
    await app.world.person('root', { admin: true });
    await makeFollows(app, [await far.account(app, 'zoe')], me);
  });
  afterEach(() => far.close());

  const setActive = (isActive: boolean) => app.get(UsersService).setActive(me, isActive);
  const sent = async (): Promise<Received['activity'][]> => {
    await app.drain();
    const activities = far.received().map(({ activity }) => activity);
    return activities.toSorted((a, b) => (kindOf(a) < kindOf(b) ? -1 : 1));
  };
  const ask = async () => {
    const asked = await post(app, 'alice', 'tea?', { poll: { options: ['yes', 'no'], expires_in: 600 } });
    await ok((await app.world.as('bob')).post(`/api/v1/polls/${asked.poll!.id}/votes`, { choices: [0] }));
    return asked.id;
  };
  /** Amy asks to follow a locked account. */
  const request = async () => {
    await app.get(ProfileService).update(me, { locked: true });
    const amy = await far.account(app, 'amy');
    await app.get(FollowsService).follow(amy, me, {}, { kind: 'remote', uri: `${far.uri('amy')}/follows/1` });
    return amy;
  };
  const passEnd = (statusId: string) =>
    app.sql(`update polls set expires_at = now() - interval '1 second' where status_id = $1`, [statusId]);
  const told = async () => {
    const path = '/api/v1/notifications?types[]=poll';
    return (await ok<unknown[]>((await app.world.as('bob')).get(path))).length;
  };
  const accept = { type: 'Accept', object: { type: 'Follow' } };
  const result = { type: 'Update', object: { type: 'Question', votersCount: 1, closed: expect.any(String) } };

  it('the profile, Accepts and the ends of polls are sent once it is activated, and once only', async () => {
    const id = await ask();
    await request();
    await sent();
    await setActive(false);
    const root = await app.world.as('root', 'admin');
    await ok(root.patch('/api/v1/svc/admin/users/alice/credentials', { name: 'Alice A.', locked: false }));
    await passEnd(id);
    await app.sql(`update jobs set run_at = now() where name = 'polls.close'`);
    expect([await sent(), await told()]).toEqual([[], 0]);
    await setActive(true);
    const profile = { type: 'Update', object: { type: 'Person', name: 'Alice A.', manuallyApprovesFollowers: false } };
    expect(await sent()).toMatchObject([accept, profile, result]);
    expect(await told()).toBe(1);
    await setActive(false);
    await setActive(true);
    expect(await sent()).toMatchObject([{ type: 'Update', object: { type: 'Person' } }]);
    expect(await told()).toBe(1);
  });

  it('what took effect before is sent at once, and the voters are told of the end of its poll once it is activated', async () => {
    const id = await ask();
    const amy = await request();
    await sent();
    await app.get(FollowsService).accept(me, amy);
    await passEnd(id);
    await app.get(PollsService).close({ statusId: id });
    await setActive(false);
    expect(await sent()).toMatchObject([accept, result]);
    expect(await told()).toBe(0);
    await setActive(true);
    await sent();
    expect(await told()).toBe(1);
  });
});

function kindOf({ type, object }: Received['activity']): string {
  return `${type} ${(object as { type?: string }).type}`;
}
