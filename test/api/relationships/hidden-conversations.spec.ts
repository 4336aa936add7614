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
