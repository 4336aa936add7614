import { type AnnouncementJson, InstanceDocumentsService, RulesService } from '../../../src/instance/index.js';
import { AccountDeletionService } from '../../../src/accounts/index.js';
import { UnitOfWork } from '../../../src/platform/index.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const ADMIN = '/api/v1/svc/admin';
const NOT_FOUND = { error: 'Not found' };
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';

const app = useApp({ people: ['alice', 'bob'] });
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
});

const messages = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

describe('the rules', () => {
  interface Rule {
    readonly id: string;
    readonly text: string;
  }
  const PATH = `${ADMIN}/rules`;
  const list = () => ok<Rule[]>(root.get(PATH));

  it('are added, changed and removed, and appear in the instance document at once', async () => {
    const first = await ok<Rule>(root.post(PATH, { text: 'Be kind', hint: 'really', priority: 2 }));
    expect(first).toEqual({ id: expect.any(String), text: 'Be kind', hint: 'really', priority: 2 });
    const second = await ok<Rule>(root.post(PATH, { text: 'No spam' }));
    expect(second).toMatchObject({ hint: '', priority: 0 });
    expect(await list()).toEqual([second, first]);
    const changed = { ...first, hint: '', priority: -1 };
    expect(await ok(root.patch(`${PATH}/${first.id}`, { hint: '', priority: -1 }))).toEqual(changed);
    await app.drain();
    const shown = await ok<Rule[]>(app.world.anonymous.get('/api/v1/instance/rules'));
    expect(shown.map(({ text }) => text)).toEqual(['Be kind', 'No spam']);
    expect(await ok(root.delete(`${PATH}/${first.id}`))).toEqual({});
    expect(await list()).toEqual([second]);
    expect(await messages()).toEqual(
      ['added', 'added', 'changed', 'removed'].map(
        (verb, at) => `@root ${verb} rule #${at === 1 ? second.id : first.id}`,
      ),
    );
  });

  it('are at most a hundred, also when two are added at once', async () => {
    await app.sql(`insert into rules (text, hint, priority) select 'rule', '', 0 from generate_series(1, 99)`);
    const rules = app.get(RulesService);
    const uow = app.get(UnitOfWork);
    await holding(app, async (observer) => {
      let late: Promise<unknown> = Promise.resolve();
      await uow.run(async () => {
        await rules.create({ text: 'the last' });
        late = uow.outside(() => rules.create({ text: 'too late' })).catch((error: unknown) => error);
        await Promise.race([waitersOf(observer, 1), late]);
      });
      expect(await late).toMatchObject({ message: 'There cannot be more than 100 rules' });
    });
    expect(await list()).toHaveLength(100);
  });

  it('require a text, and an existing id for changes', async () => {
    for (const body of [{}, { text: '' }, { text: 'x'.repeat(5_001) }, { text: 'x', priority: 'high' }]) {
      expect((await root.post(PATH, body).expect(400)).body).toEqual({ error: expect.any(String) });
    }
    for (const request of [
      root.patch(`${PATH}/9`, { text: 'x' }),
      root.delete(`${PATH}/9`),
      root.delete(`${PATH}/x`),
    ]) {
      expect((await request.expect(404)).body).toEqual(NOT_FOUND);
    }
    expect(await messages()).toEqual([]);
  });
});

describe('announcements', () => {
  const PATH = `${ADMIN}/announcements`;
  const list = (query: object = {}) => ok<AnnouncementJson[]>(root.get(PATH, { ...query }));
  const DAYS = { starts_at: '2099-01-31T10:00:00.000Z', ends_at: '2099-02-01T10:00:00.000Z' };

  it('are created, listed in every state, changed and deleted', async () => {
    const later = await ok<AnnouncementJson>(root.post(PATH, { content: 'We **move**', ...DAYS, all_day: true }));
    expect(later).toMatchObject({
      content: '<p>We **move**</p>',
      svc: { raw_content: 'We **move**' },
      ...DAYS,
      all_day: true,
    });
    const now = await ok<AnnouncementJson>(root.post(PATH, { content: 'Hello' }));
    expect(now).toMatchObject({ starts_at: null, ends_at: null, all_day: false });
    expect(await list()).toEqual([now, later]);
    expect(await list({ offset: 1, limit: 1 })).toEqual([later]);
    expect(await ok(root.get(`${PATH}/${later.id}`))).toEqual(later);
    const changed = await ok(root.patch(`${PATH}/${later.id}`, { ends_at: null, content: 'We stay' }));
    expect(changed).toMatchObject({
      content: '<p>We stay</p>',
      starts_at: DAYS.starts_at,
      ends_at: null,
      all_day: true,
    });
    const alice = await app.world.as('alice');
    expect(await ok<unknown[]>(alice.get('/api/v1/announcements'))).toHaveLength(1);
    expect(await ok(root.delete(`${PATH}/${now.id}`))).toEqual({});
    expect(await ok(alice.get('/api/v1/announcements'))).toEqual([]);
    expect((await messages()).map((message) => message.split(' #')[0])).toEqual(
      ['made', 'made', 'changed', 'deleted'].map((verb) => `@root ${verb} announcement`),
    );
  });

  it('tell each administrator whether they were read', async () => {
    const own = await app.world.as('root'); // with the scopes of an app
    const { id, read } = await ok<AnnouncementJson>(root.post(PATH, { content: 'Hello' }));
    expect(read).toBe(false);
    await own.post(`/api/v1/announcements/${id}/dismiss`).expect(200, {});
    expect([await list(), await ok(root.get(`${PATH}/${id}`))]).toMatchObject([[{ id, read: true }], { read: true }]);
    expect(await ok(root.patch(`${PATH}/${id}`, { content: 'Hello again' }))).toMatchObject({ read: true });
    expect(await ok(own.get('/api/v1/announcements', { with_dismissed: true }))).toMatchObject([{ id, read: true }]);
    await app.world.person('other', { admin: true });
    expect(await ok((await app.world.as('other', 'admin')).get(`${PATH}/${id}`))).toMatchObject({ read: false });
  });

  it.each([
    { ends_at: DAYS.starts_at, starts_at: DAYS.ends_at },
    { ends_at: '2099-01-31T09:59:59.000Z' },
    { starts_at: DAYS.ends_at },
    { starts_at: '2099-02-30T10:00:00Z' },
  ])('are not changed to times out of order: %j', async (times) => {
    const made = await ok<AnnouncementJson>(root.post(PATH, { content: 'x', ...DAYS }));
    await root.patch(`${PATH}/${made.id}`, times).expect(400);
    expect(await list()).toEqual([made]);
  });

  it('require a text, times in order, and an existing id for changes', async () => {
    const wrong = [
      {},
      { content: ' ' },
      { content: 'x', starts_at: 'soon' },
      { content: 'x', starts_at: DAYS.ends_at, ends_at: DAYS.starts_at },
    ];
    for (const body of wrong) {
      expect((await root.post(PATH, body).expect(400)).body).toEqual({ error: expect.any(String) });
    }
    const path = `${PATH}/${UNKNOWN}`;
    for (const request of [root.get(path), root.patch(path, { content: 'x' }), root.delete(path)]) {
      expect((await request.expect(404)).body).toEqual(NOT_FOUND);
    }
    expect(await messages()).toEqual([]);
  });
});

describe('the post counts', () => {
  const stats = async (instance?: string) =>
    (await ok<{ status_visibility: object }>(root.get(`${ADMIN}/stats`, { instance }))).status_visibility;
  const NONE = { direct: 0, private: 0, public: 0, unlisted: 0 };

  it('change with every post of this server', async () => {
    expect(await stats()).toEqual(NONE);
    const { id } = await post(app, 'alice', 'public');
    await post(app, 'alice', 'unlisted', { visibility: 'unlisted' });
    await post(app, 'alice', 'direct', { visibility: 'direct' });
    const { id: later } = await post(app, 'bob', 'public');
    await reblog(app, 'bob', id);
    expect(await stats()).toEqual({ direct: 1, private: 0, public: 2, unlisted: 1 });
    await ok(root.put(`${ADMIN}/statuses/${later}`, { visibility: 'private' }));
    await ok((await app.world.as('alice')).delete(`/api/v1/statuses/${id}`));
    expect(await stats('svc.test')).toEqual({ direct: 1, private: 1, public: 0, unlisted: 1 });
    await app.get(AccountDeletionService).delete(app.world.id('alice'));
    await app.drain();
    expect(await stats()).toEqual({ ...NONE, private: 1 });
  });

  it('are kept for each server', async () => {
    await app.world.remote('zoe', 'b.example');
    await app.sql(
      `insert into status_totals values ('b.example', 0, 0, 7), ('xn--bcher-kva.example', 0, 0, 2), ('', 0, 3, 1)`,
    );
    expect([await stats('B.example'), await stats('svc.test'), await stats('d.example'), await stats()]).toEqual(
      [7, 1, 0, 10].map((count) => ({ ...NONE, public: count })),
    );
    expect(await stats('Bücher.example')).toEqual({ ...NONE, public: 2 });
  });
});

describe.each([
  ['instance-panel', 'https://svc.test/instance/panel.html'],
  ['terms-of-service', 'https://svc.test/static/terms-of-service.html'],
  ['privacy-policy', 'https://svc.test/static/privacy-policy.html'],
] as const)('the document %s', (name, url) => {
  const path = `${ADMIN}/instance_document/${name}`;
  const upload = (content: string | Buffer) =>
    app.http.patch(path).auth(root.token, { type: 'bearer' }).attach('file', Buffer.from(content), 'any.html');
  const read = async () => {
    const answer = await root.get(path).buffer(true).expect(200).expect('content-type', 'text/html; charset=utf-8');
    return answer.text;
  };

  it('is replaced by a sanitised file, and can be removed', async () => {
    expect(await read()).toBe('');
    expect((await upload('<h1>Tea</h1><script>x</script><p onclick="x">é</p>').expect(200)).body).toEqual({ url });
    expect(await read()).toBe('<h1>Tea</h1><p>é</p>');
    expect(await app.get(InstanceDocumentsService).find(name)).toBe('<h1>Tea</h1><p>é</p>');
    await upload('<p>other</p>').expect(200);
    expect(await read()).toBe('<p>other</p>');
    expect(await ok(root.delete(path))).toEqual({ url });
    expect(await read()).toBe('');
    expect(await messages()).toEqual([
      `@root replaced the document #${name}`,
      `@root replaced the document #${name}`,
      `@root removed the document #${name}`,
    ]);
  });

  it('requires a file with a text of limited size', async () => {
    await root.patch(path).expect(400);
    await upload(Buffer.from([0xff, 0xfe, 0x00])).expect(400);
    await upload('x'.repeat(262_145)).expect(413);
  });
});

it('the API knows no other document', async () => {
  const path = `${ADMIN}/instance_document/passwd`;
  const requests = [root.get(path), root.patch(path), root.delete(path)];
  for (const request of requests) expect((await request.expect(404)).body).toEqual(NOT_FOUND);
});
