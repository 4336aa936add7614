import type supertest from 'supertest';
import { AccountDeletionService } from '../../../src/accounts/index.js';
import { picture } from '../../support/fixtures/media-files.js';
import type { Client } from '../../support/fixtures/world.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';

const UPDATE = '/api/v1/accounts/update_credentials';
const BLANK = { avatarUrl: null, displayName: '', noteHtml: '', alsoKnownAs: [], tags: [], movedToId: null };

const app = useApp({ people: ['alice', 'bob'] });
let bob: Client;

beforeEach(async () => {
  bob = await app.world.as('bob');
});

/** Deletes bob, and lets a request arrive before the deletion is committed. Returns the status of the answer. */
async function duringDeletion(request: () => supertest.Test): Promise<number> {
  return holding(app, async (holder) => {
    await holder.query('select from users where account_id = $1 for update', [app.world.id('bob')]);
    const deleted = app.get(AccountDeletionService).delete(app.world.id('bob'));
    await waitersOf(holder, 1);
    const answered = request().then(({ status }) => status);
    await waitersOf(holder, 2);
    await holder.query('commit');
    await deleted;
    return answered;
  });
}

async function withPicture(): Promise<() => supertest.Test> {
  const file = await picture('png');
  return () =>
    app.http
      .patch(UPDATE)
      .set('authorization', `Bearer ${bob.token}`)
      .field('display_name', 'Bob again')
      .field('note', 'I am back')
      .attach('avatar', file, 'x.png');
}

describe('an account that is deleted while it is changed', () => {
  it.each([
    ['picture and bio', withPicture],
    ['name', async () => Promise.resolve(() => bob.patch(UPDATE, { display_name: 'Bob again' }))],
    ['defaults of posts', async () => Promise.resolve(() => bob.patch(UPDATE, { source: { sensitive: true } }))],
    ['aliases', async () => Promise.resolve(() => bob.put('/api/svc/aliases', { alias: 'alice' }))],
  ])('gets no new %s', async (_, prepare) => {
    const request = await prepare();
    const version = ((await app.world.account('bob'))?.version ?? 0) + 1;
    expect(await duringDeletion(request)).toBe(404);
    expect(await app.world.account('bob')).toMatchObject({ ...BLANK, version });
  });

  it('gets no tag of the staff', async () => {
    await app.world.person('root', { admin: true });
    const root = await app.world.as('root', 'admin');
    const tagging = () => root.put('/api/v1/svc/admin/users/tag', { nicknames: ['bob'], tags: ['vip'] });
    expect(await duringDeletion(tagging)).toBe(404);
    expect(await app.world.account('bob')).toMatchObject(BLANK);
  });
});
