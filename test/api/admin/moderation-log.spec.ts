import { type ModerationLogJson, ModerationLogService, OPERATOR } from '../../../src/admin/index.js';
import { UnitOfWork } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/svc/admin/moderation_log';

const app = useApp();
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.world.person('alice');
  root = await app.world.as('root', 'admin');
});

const user = (nickname: string) => ({ type: 'user', id: app.world.id(nickname), nickname });
const record = (...[actor, action, subject, data]: Parameters<ModerationLogService['record']>) =>
  app.get(UnitOfWork).run(() => app.get(ModerationLogService).record(actor, action, subject, data));
const log = (query: object = {}) => ok<ModerationLogJson>(root.get(PATH, { ...query }));

describe('the moderation log', () => {
  it('names the actor, the action and the subjects', async () => {
    await record({ accountId: app.world.id('root') }, 'tag', user('alice'), { tags: ['a', 'b'] });
    await record(OPERATOR, 'deactivate', [user('alice'), user('root')]);
    const { items, total } = await log();
    expect(total).toBe(2);
    expect(items[1]).toEqual({
      id: expect.any(Number),
      data: {
        actor: { id: app.world.id('root'), nickname: 'root', type: 'user' },
        action: 'tag',
        subject: [user('alice')],
        tags: ['a', 'b'],
      },
      time: expect.any(Number),
      message: '@root added the tags a, b to users: @alice',
    });
    expect(Math.abs(items[1]!.time * 1_000 - Date.now())).toBeLessThan(60_000);
    expect(items[0]).toMatchObject({
      data: { actor: { id: null, nickname: 'operator', type: 'operator' } },
      message: '@operator deactivated users: @alice, @root',
    });
  });

  it('keeps nothing of a failed unit of work, and cannot be written outside of one', async () => {
    const failing = app.get(UnitOfWork).run(async () => {
      await app.get(ModerationLogService).record(OPERATOR, 'activate', user('alice'));
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    await expect(app.get(ModerationLogService).record(OPERATOR, 'activate', user('alice'))).rejects.toThrow(/unit/);
    expect(await log()).toEqual({ items: [], total: 0 });
  });

  it('can be searched by words, actor and time, and has pages', async () => {
    await app.sql(
      `insert into moderation_log (actor_id, action, data, message, created_at)
       select case when n % 2 = 0 then $1 end, 'approve',
         '{"actor": {"id": null, "nickname": "operator", "type": "operator"}, "action": "approve", "subject": []}',
         'approved 100%_' || n, timestamptz '2026-01-01' + n * interval '1 day' from generate_series(1, 5) n`,
      [app.world.id('root')],
    );
    const found = async (query: object) => (await log(query)).items.map(({ message }) => message.slice(-1));
    expect(await found({})).toEqual(['5', '4', '3', '2', '1']);
    expect(await found({ search: 'ROVED 100%_4' })).toEqual(['4']);
    expect(await found({ search: '1__' })).toEqual([]);
    expect(await found({ user_id: app.world.id('root') })).toEqual(['4', '2']);
    expect(await found({ start_date: '2026-01-03T00:00:00', end_date: '2026-01-04T00:00:00' })).toEqual(['3', '2']);
    expect(await found({ page: 2, page_size: 2 })).toEqual(['3', '2']);
    expect((await log({ page: 9, page_size: 2 })).total).toBe(5);
    const refused = await root.get(PATH, { start_date: 'yesterday' }).expect(400);
    expect(refused.body).toEqual({ error: 'start_date must be a date' });
  });
});
