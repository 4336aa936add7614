import { BlocksService } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['author', 'reader', 'friend'] });
let reader: Client;
let ids: { post: string; boost: string; poll: string };

const POLL = { options: ['tea', 'coffee'], expires_in: 3600 };
const TEA = encodeURIComponent('🍵');

beforeEach(async () => {
  reader = await app.world.as('reader');
  const { id, poll } = await post(app, 'author', 'tea', { poll: POLL });
  ids = { post: id, boost: (await reblog(app, 'friend', id)).id, poll: poll!.id };
});

const blocks = (account: string, target: string) =>
  app.get(BlocksService).block(app.world.id(account), app.world.id(target));

const sides = [
  ['author', 'reader'],
  ['reader', 'author'],
] as const;

const refused: [name: string, act: () => ReturnType<Client['post']>][] = [
  ['favourite', () => reader.post(`/api/v1/statuses/${ids.post}/favourite`)],
  ['favourite by a boost', () => reader.post(`/api/v1/statuses/${ids.boost}/favourite`)],
  ['boost', () => reader.post(`/api/v1/statuses/${ids.post}/reblog`)],
  ['reaction', () => reader.put(`/api/v1/svc/statuses/${ids.post}/reactions/${TEA}`)],
  ['vote', () => reader.post(`/api/v1/polls/${ids.poll}/votes`, { choices: [0] })],
  ['answer', () => reader.post('/api/v1/statuses', { status: 'no', in_reply_to_id: ids.post })],
  ['quote', () => reader.post('/api/v1/statuses', { status: 'look', quote_id: ids.post })],
];

describe.each(sides)('V10 F28 while the %s blocks the %s', (account, target) => {
  it.each(refused)('refuses a %s of the reader', async (_, act) => {
    await blocks(account, target);
    await act().expect(403, { error: 'Access denied' });
  });

  it('lets the reader bookmark the post, mute its thread and undo earlier actions', async () => {
    await ok(reader.post(`/api/v1/statuses/${ids.post}/favourite`));
    await ok(reader.post(`/api/v1/statuses/${ids.post}/reblog`));
    await ok(reader.put(`/api/v1/svc/statuses/${ids.post}/reactions/${TEA}`));
    await blocks(account, target);
    await ok(reader.post(`/api/v1/statuses/${ids.post}/bookmark`));
    await ok(reader.post(`/api/v1/statuses/${ids.post}/mute`));
    await ok(reader.delete(`/api/v1/svc/statuses/${ids.post}/reactions/${TEA}`));
    await ok(reader.post(`/api/v1/statuses/${ids.post}/unreblog`));
    const left = await ok(reader.post(`/api/v1/statuses/${ids.post}/unfavourite`));
    expect(left).toMatchObject({ favourites_count: 0, reblogs_count: 1, favourited: false, bookmarked: true });
  });
});

it('F28 refuses no action once a block of the reader has ended', async () => {
  await app.get(BlocksService).block(app.world.id('reader'), app.world.id('author'), { expiresIn: 60 });
  await app.sql(`update blocks set expires_at = now() - interval '1 second'`);
  for (const [, act] of refused) await act().expect(200);
});
