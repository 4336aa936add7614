import { CredentialAccountShape, type CredentialAccountJson } from '../../../src/accounts/index.js';
import { ProfileShape } from '../../../src/accounts/model/account.shape.js';
import { useApp } from '../../support/servers/app.js';
import { picture } from '../../support/fixtures/media-files.js';
import { checkShape } from '../../support/shape.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/profile';

const app = useApp({ people: ['alice'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const CHANGES = {
  display_name: 'Alice',
  note: 'tea & milk',
  fields_attributes: [{ name: 'home', value: 'https://alice.test' }],
  locked: true,
  bot: true,
  hide_collections: true,
  discoverable: true,
  indexable: false,
  attribution_domains: ['blog.example'],
};

describe('the own profile', () => {
  it.each(['patch', 'put'] as const)('is shown and changed as typed with %s, like the credentials', async (method) => {
    const before = await ok<object>(alice.get(PATH));
    expect(checkShape(ProfileShape, before)).toEqual([]);
    const { fields_attributes: fields, ...rest } = CHANGES;
    const after = await ok<object>(alice[method](PATH, CHANGES));
    expect(after).toEqual({ ...before, ...rest, fields });
    expect(await ok(alice.get(PATH))).toEqual(after);
    const own = await ok<CredentialAccountJson>(alice.get('/api/v1/accounts/verify_credentials'));
    expect(own).toMatchObject({
      display_name: 'Alice',
      locked: true,
      bot: true,
      source: { note: 'tea & milk', fields },
    });
  });

  it('names every wrong field', async () => {
    const { body } = await alice.patch(PATH, { display_name: 'x'.repeat(101), note: 'x'.repeat(5_001) }).expect(403);
    expect(Object.keys((body as { details: object }).details)).toEqual(['display_name', 'note']);
    expect(await ok(alice.get(PATH))).toMatchObject({ display_name: 'alice', note: '' });
  });

  it.each(['avatar', 'header'] as const)('loses its %s', async (use) => {
    const none = (await ok<Record<string, string>>(alice.get(PATH)))[use];
    const form = app.http.patch(PATH).set('authorization', `Bearer ${alice.token}`);
    const { body } = await form.attach(use, await picture(), 'a.png').expect(200);
    expect((body as Record<string, string>)[use]).toMatch(/\/media\//);
    const left = await ok<Record<string, unknown>>(alice.delete(`${PATH}/${use}`));
    expect(checkShape(CredentialAccountShape, left)).toEqual([]);
    expect(left[use]).toBe(none);
    expect(await ok<Record<string, string>>(alice.get(PATH))).toMatchObject({ [use]: none });
  });
});

describe('a token of the scope profile', () => {
  it('shows its user without settings and the token of the shoutbox, and changes nothing', async () => {
    const narrow = await app.world.as('alice', 'profile');
    expect(await ok(narrow.get(PATH))).toEqual(await ok(alice.get(PATH)));
    const own = await ok<CredentialAccountJson>(narrow.get('/api/v1/accounts/verify_credentials'));
    expect(own).toMatchObject({ username: 'alice' });
    expect(Object.keys(own.svc).filter((key) => ['settings_store', 'chat_token'].includes(key))).toEqual([]);
    await narrow.patch(PATH, { note: 'x' }).expect(403);
    await narrow.get('/api/v1/timelines/home').expect(403);
    await (await app.world.as('alice', 'read:statuses')).get(PATH).expect(403);
  });
});
