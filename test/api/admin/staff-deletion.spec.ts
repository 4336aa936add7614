import { SettingsService } from '../../../src/config/index.js';
import { type StatusJson, StatusShape } from '../../../src/statuses/index.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';

const PATH = '/api/v1/statuses';
const STAFF = ['read', 'write', 'admin:write:statuses'];

const app = useApp({ people: ['alice', 'bob', 'mod'] });

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.sql('update users set is_moderator = true where account_id = $1', [app.world.id('mod')]);
  await give('admin:write:statuses');
});

const give = (...value: string[]) =>
  app.get(SettingsService).update([{ path: 'instance.moderator_privileges', value }]);
const log = () => app.sql<{ actor_id: string; message: string }>('select actor_id, message from moderation_log');
const isThere = async (id: string) => (await app.sql('select from statuses where id = $1', [id])).length === 1;

describe('A11 a member of the staff', () => {
  it.each(['root', 'mod'])('who is %s deletes the post of another account, with an entry in the log', async (name) => {
    const { id } = await post(app, 'alice', 'rude');
    const answer = await ok<StatusJson>((await app.world.as(name, ...STAFF)).delete(`${PATH}/${id}`));
    expect(answer).toMatchObject({ id, content: '<p>rude</p>', text: null });
    expect(checkShape(StatusShape, answer)).toEqual([]);
    expect(await isThere(id)).toBe(false);
    expect(await log()).toEqual([{ actor_id: app.world.id(name), message: `@${name} deleted status #${id}` }]);
    await app.drain();
    expect(await app.sql(`select type from notifications`)).toEqual([]);
  });

  it.each([
    ['alice', 404, STAFF],
    ['root', 404, ['read', 'write']],
    ['mod', 404, ['read', 'write']],
    ['mod', 403, ['read', 'admin:write:statuses']],
  ] as const)('needs the rights of the administrative route: %s gets %d with %j', async (name, status, scopes) => {
    const { id } = await post(app, 'bob', 'rude');
    await (await app.world.as(name, ...scopes)).delete(`${PATH}/${id}`).expect(status);
    expect(await isThere(id)).toBe(true);
    expect(await log()).toEqual([]);
  });

  it('who is a moderator without the privilege deletes only own posts, without an entry in the log', async () => {
    await give('admin:read:reports');
    const [theirs, own] = [await post(app, 'alice', 'rude'), await post(app, 'mod', 'mine')];
    const mod = await app.world.as('mod', ...STAFF);
    await mod.delete(`${PATH}/${theirs.id}`).expect(404);
    expect(await ok<object>(mod.delete(`${PATH}/${own.id}`))).toMatchObject({ text: 'mine' });
    expect(await log()).toEqual([]);
  });

  it('deletes own posts as their author', async () => {
    const { id } = await post(app, 'root', 'mine');
    expect(await ok<object>((await app.world.as('root', ...STAFF)).delete(`${PATH}/${id}`))).toMatchObject({
      text: 'mine',
    });
    expect(await log()).toEqual([]);
  });

  it('gets 404 for unknown posts and for posts that it may not read', async () => {
    const root = await app.world.as('root', ...STAFF);
    for (const visibility of ['private', 'direct']) {
      const { id } = await post(app, 'alice', '@bob psst', { visibility });
      await root.delete(`${PATH}/${id}`).expect(404);
      expect(await isThere(id)).toBe(true);
    }
    await root.delete(`${PATH}/AAAAAAAAAAAAAAAAAA`).expect(404);
  });

  it('A7 who is a moderator deletes no posts of administrators', async () => {
    const { id } = await post(app, 'root', 'hello');
    await (await app.world.as('mod', ...STAFF)).delete(`${PATH}/${id}`).expect(403);
    expect(await isThere(id)).toBe(true);
  });

  it('removes the boost of another account, and keeps the post', async () => {
    const { id } = await post(app, 'alice', 'hello');
    const boost = await reblog(app, 'bob', id);
    await ok((await app.world.as('root', ...STAFF)).delete(`${PATH}/${boost.id}`));
    expect([await isThere(id), await isThere(boost.id)]).toEqual([true, false]);
  });
});
