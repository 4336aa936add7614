import { createRestAPIClient, type mastodon } from 'masto';
import { useApp } from '../support/servers/app.js';
import { PushService, usePushService } from '../support/servers/push-service.js';
import { post } from '../support/fixtures/statuses.js';
import { calledIn } from './listed.js';
import { Recorder } from './recorder.js';

describe('an app built on the library masto, with notifications,', () => {
  const service = usePushService();
  const app = useApp({
    people: ['alice', 'bob'],
    env: { ALLOWED_PRIVATE_ADDRESSES: PushService.HOST },
    listening: true,
  });
  let alice: mastodon.rest.Client;
  const recorder = new Recorder();

  beforeEach(async () => {
    const { token: accessToken } = await app.world.as('alice');
    alice = recorder.watch('rest', createRestAPIClient({ url: app.env.baseUrl, accessToken }));
  });

  const notFound = { statusCode: 404 };

  it('lists, shows and dismisses notifications', async () => {
    await post(app, 'bob', '@alice one');
    await post(app, 'bob', '@alice two');
    await app.drain();
    expect(await alice.v1.notifications.unreadCount.fetch()).toEqual({ count: 2 });
    const [second, first] = await alice.v1.notifications.list({ types: ['mention'], limit: 5 });
    expect([first, second]).toMatchObject([
      { type: 'mention', account: { acct: 'bob' }, status: { account: { acct: 'bob' } } },
      { type: 'mention' },
    ]);
    expect(await alice.v1.notifications.$select(second!.id).fetch()).toEqual(second);
    await alice.v1.notifications.$select(second!.id).dismiss();
    await expect(alice.v1.notifications.$select(second!.id).fetch()).rejects.toMatchObject(notFound);
    await alice.v1.notifications.clear();
    expect(await alice.v1.notifications.list()).toEqual([]);
  });

  it('lists, shows and dismisses groups of notifications', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await (await app.world.as('bob')).post(`/api/v1/statuses/${id}/favourite`).expect(200);
    await app.drain();
    expect(await alice.v2.notifications.unreadCount.fetch()).toEqual({ count: 1 });
    const { notificationGroups: groups, statuses } = await alice.v2.notifications.list({ groupedTypes: [], limit: 5 });
    expect(groups).toMatchObject([{ type: 'favourite', notificationsCount: 1, statusId: id }]);
    expect(statuses).toMatchObject([{ id }]);
    const group = alice.v2.notifications.$select(groups[0]!.groupKey);
    expect(await group.fetch()).toMatchObject({ accounts: [{ acct: 'bob' }] });
    expect(await group.accounts.fetch()).toMatchObject([{ acct: 'bob' }]);
    await group.dismiss();
    await expect(group.fetch()).rejects.toMatchObject(notFound);
  });

  it('filters notifications of strangers, accepts and dismisses requests', async () => {
    const { notifications } = alice.v1;
    const policy = await alice.v2.notifications.policy.update({ forNotFollowing: 'filter' });
    expect(policy).toMatchObject({ forNotFollowing: 'filter', summary: { pendingRequestsCount: 0 } });
    const request = async (text: string) => {
      await post(app, 'bob', `@alice ${text}`);
      await app.drain();
      const [newest] = await notifications.requests.list();
      return newest!.id;
    };
    await notifications.requests.$select(await request('one')).dismiss();
    expect(await alice.v2.notifications.policy.fetch()).toMatchObject({ summary: { pendingRequestsCount: 0 } });
    await notifications.requests.dismiss(); // the library knows no ids
    expect(await notifications.requests.list()).toEqual([]);
    const select = notifications.requests.$select(await request('three'));
    expect(await select.fetch()).toMatchObject({ account: { acct: 'bob' }, notificationsCount: '1' });
    await select.accept();
    await notifications.requests.accept();
    expect(await notifications.requests.merged.fetch()).toEqual({ merged: true });
    expect(await notifications.list()).toMatchObject([{ type: 'mention' }]);
  });

  it('subscribes to web push, gets the chosen pushes, and ends it', async () => {
    const device = service.subscriber();
    const { endpoint, keys } = device;
    const made = await alice.v1.push.subscription.create({
      subscription: { endpoint, keys },
      data: { alerts: { mention: true, follow: true } },
      policy: 'all',
    });
    expect(made).toMatchObject({ endpoint, alerts: { mention: true, follow: true, reblog: false } });
    const { configuration } = await alice.v2.instance.fetch();
    expect(made.serverKey).toBe(configuration.vapid.publicKey);
    expect(await alice.v1.push.subscription.fetch()).toEqual(made);
    await post(app, 'bob', '@alice hello');
    await app.drain();
    expect(service.take().map((push) => device.open(push))).toMatchObject([
      { title: 'New Mention', access_token: (await app.world.as('alice')).token },
    ]);
    const changed = await alice.v1.push.subscription.update({ data: { alerts: { reblog: true } } });
    expect(changed).toMatchObject({ id: made.id, alerts: { mention: false, follow: false, reblog: true } });
    await post(app, 'bob', '@alice hello again');
    await app.drain();
    expect(service.take()).toEqual([]);
    await alice.v1.push.subscription.remove();
    await expect(alice.v1.push.subscription.fetch()).rejects.toMatchObject(notFound);
  });

  it('reports an account', async () => {
    const { id: statusId, account } = await post(app, 'bob', 'insult');
    const report = await alice.v1.reports.create({
      accountId: account.id,
      statusIds: [statusId],
      comment: 'please look',
      category: 'spam',
      forward: false,
    });
    expect(report).toMatchObject({
      actionTaken: false,
      category: 'spam',
      comment: 'please look',
      statusIds: [statusId],
      targetAccount: { acct: 'bob' },
    });
  });

  it('calls all the methods that test/data/masto-methods.tsv lists for it', () => {
    expect(recorder.called).toEqual(expect.arrayContaining(calledIn('masto-notifications.spec.ts')));
  });
});
