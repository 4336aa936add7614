import type { CredentialAccountJson } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { receivedBy } from '../../support/fixtures/notifications.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/svc/notification_settings';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const settings = async (nickname = 'alice') => {
  const client = await app.world.as(nickname);
  const own = await ok<CredentialAccountJson>(client.get('/api/v1/accounts/verify_credentials'));
  return own.svc.notification_settings;
};

describe('notification settings', () => {
  it('can be changed one by one, by query, form and JSON, in any spelling of a boolean', async () => {
    await alice.put(`${PATH}?block_from_strangers=1`).expect(200, { status: 'success' });
    expect(await settings()).toEqual({ block_from_strangers: true, hide_notification_contents: false });
    await app.http
      .put('/api/v1/svc/notification_settings')
      .auth(alice.token, { type: 'bearer' })
      .type('form')
      .send('hide_notification_contents=on')
      .expect(200, { status: 'success' });
    expect(await settings()).toEqual({ block_from_strangers: true, hide_notification_contents: true });
    await alice.put(PATH, { block_from_strangers: false }).expect(200);
    expect(await settings()).toEqual({ block_from_strangers: false, hide_notification_contents: true });
    await alice.put(PATH, { hide_notification_contents: 'off', privacy_option: true }).expect(200);
    expect(await settings()).toEqual({ block_from_strangers: false, hide_notification_contents: false });
    await alice.put(PATH).expect(200, { status: 'success' });
    expect(await settings('bob')).toEqual({ block_from_strangers: false, hide_notification_contents: false });
  });

  it('prevent notifications of strangers, but not of followed accounts', async () => {
    await alice.put(PATH, { block_from_strangers: true }).expect(200);
    await app.world.follow('alice', 'carol');
    await post(app, 'bob', '@alice may I sell you something?');
    await post(app, 'carol', '@alice hello');
    expect(await receivedBy(app, 'alice')).toEqual(['mention carol']);
    await alice.put(PATH, { block_from_strangers: false }).expect(200);
    await post(app, 'bob', '@alice and now?');
    expect(await receivedBy(app, 'alice')).toEqual(['mention bob', 'mention carol']);
  });
});
