import { BlocksService } from '../../../src/accounts/index.js';
import type { ConversationJson } from '../../../src/statuses/index.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

const LIST = '/api/v1/conversations';
const SVC = '/api/v1/svc/conversations';

const app = useApp({ people: ['alice', 'bob', 'carol'] });

it('V10 a conversation with a blocked account alone cannot be read, marked, changed or continued', async () => {
  await post(app, 'bob', 'psst @alice', { visibility: 'direct' });
  const alice = await app.world.as('alice');
  const [before] = await ok<ConversationJson[]>(alice.get(LIST));
  const { id } = before!;
  const stored = () => app.sql('select * from conversation_participants order by id');
  const rows = await stored();
  const [owner, blocked] = [app.world.id('alice'), app.world.id('bob')];
  await app.get(BlocksService).block(owner, blocked, {});
  const gone = { error: 'Record not found' };
  await alice.get(`${SVC}/${id}`).expect(404, gone);
  await alice.get(`${SVC}/${id}/statuses`).expect(404, gone);
  await alice.post(`${LIST}/${id}/read`).expect(404, gone);
  await alice.post(`${LIST}/${id}/unread`).expect(404, gone);
  await alice.patch(`${SVC}/${id}`, { recipients: [app.world.id('carol')] }).expect(404, gone);
  await alice.post('/api/v1/statuses', { status: 'x', in_reply_to_conversation_id: id }).expect(404, gone);
  expect(await stored()).toEqual(rows);
  await app.get(BlocksService).unblock(owner, blocked);
  expect(await ok<ConversationJson[]>(alice.get(LIST))).toEqual([before]);
});

it('a conversation goes on without an account of another server that is no longer stored', async () => {
  const { id: zoe } = await app.world.remote('zoe', 'far.test');
  await post(app, 'alice', 'psst @bob', { visibility: 'direct' });
  const alice = await app.world.as('alice');
  const [{ id }] = (await ok<ConversationJson[]>(alice.get(LIST))) as [ConversationJson];
  const recipients = [app.world.id('bob'), zoe];
  expect((await ok<ConversationJson>(alice.patch(`${SVC}/${id}`, { recipients }))).svc.recipients).toHaveLength(3);
  await app.sql('delete from accounts where id = $1', [zoe]);
  const next = await post(app, 'alice', 'more', { in_reply_to_conversation_id: id });
  expect(next.mentions.map(({ username }) => username)).toEqual(['bob']);
  const [seen] = await ok<ConversationJson[]>((await app.world.as('bob')).get(LIST));
  expect(seen).toMatchObject({ last_status: { id: next.id } });
  expect(await ok<ConversationJson[]>(alice.get(LIST, { recipients: [app.world.id('bob')] }))).toHaveLength(1);
});
