import { useApp } from '../../support/servers/app.js';
import { PushService, usePushService } from '../../support/servers/push-service.js';
import { ok } from '../../support/fixtures/statuses.js';

describe('pushes about follows and follow requests', () => {
  const service = usePushService();
  const app = useApp({ people: ['alice', 'bob', 'carol'], env: { ALLOWED_PRIVATE_ADDRESSES: PushService.HOST } });

  it.each([
    [{ follow: true, follow_request: false }, ['follow']],
    [{ follow: false, follow_request: true }, ['follow_request']],
    [{ follow: true }, ['follow', 'follow_request']],
  ])('are sent by the switch of each: %j', async (alerts, expected) => {
    const device = service.subscriber('device');
    const { endpoint, keys } = device;
    const alice = await app.world.as('alice');
    await ok(alice.post('/api/v1/push/subscription', { subscription: { endpoint, keys }, data: { alerts } }));
    await app.world.follow('bob', 'alice');
    await app.drain();
    await alice.patch('/api/v1/accounts/update_credentials', { locked: true }).expect(200);
    await app.world.follow('carol', 'alice');
    await app.drain();
    expect(service.take().map((push) => device.open(push)['notification_type'])).toEqual(expected);
  });
});
