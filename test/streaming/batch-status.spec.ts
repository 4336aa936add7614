import { BlocksService } from '../../src/accounts/index.js';
import { Json } from '../../src/common/index.js';
import { BatchConversationView, BatchStatusView, StatusView } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { countQueries } from '../support/queries.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { post, reblog } from '../support/fixtures/statuses.js';

const VIEWERS = ['', 'alice', 'bob', 'carol', 'dave', 'erin'] as const;

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave', 'erin'] });
let shared: BatchStatusView;

beforeAll(() => {
  shared = app.get(BatchStatusView);
});

const idOf = (viewer: string) => (viewer === '' ? '' : app.world.id(viewer));

/** Posts, a boost, a reply to a post that some viewers may not see, and reactions to them. */
async function variedEntries(): Promise<string[]> {
  await app.world.follow('bob', 'alice');
  const secret = await post(app, 'alice', 'for followers', { visibility: 'private' });
  const answer = await post(app, 'alice', 'to all', { in_reply_to_id: secret.id, visibility: 'public' });
  const passing = await post(app, 'alice', 'soon gone', { expires_in: 7200 });
  const direct = await post(app, 'carol', '@dave hi #tea', { visibility: 'direct' });
  const boost = await reblog(app, 'carol', answer.id);
  for (const [name, emoji] of [
    ['bob', '🍵'],
    ['alice', '👍'],
    ['carol', '🍵'],
  ] as const) {
    await (await app.world.as(name)).put(`/api/v1/svc/statuses/${answer.id}/reactions/${encodeURIComponent(emoji)}`);
  }
  await app.sql(
    `insert into reactions (account_id, status_id, name, url)
     select id, $2, 'blob@far.test', 'https://far.test/' || 9 - n from unnest($1::text[]) with ordinality as reactor(id, n)`,
    [['bob', 'alice', 'carol'].map(idOf), answer.id],
  );
  await app.sql('insert into mutes (account_id, target_id, notifications) values ($1, $2, false)', [
    idOf('alice'),
    idOf('bob'),
  ]);
  await app.sql('insert into bookmarks (account_id, status_id) values ($1, $2)', [idOf('carol'), answer.id]);
  await app.sql('insert into pins (account_id, status_id) values ($1, $2)', [idOf('alice'), secret.id]);
  await (await app.world.as('dave')).post(`/api/v1/statuses/${answer.id}/favourite`).expect(200);
  await (await app.world.as('erin')).post(`/api/v1/statuses/${answer.id}/favourite`).expect(200);
  await app.sql('update accounts set hide_followers_count = true, version = version + 1 where id = $1', [
    idOf('alice'),
  ]);
  return [secret.id, answer.id, passing.id, direct.id, boost.id];
}

/** Quotes of a public post, whose author one viewer blocks, and of a followers-only post. */
async function quotes(): Promise<string[]> {
  await app.world.follow('bob', 'alice');
  const open = await post(app, 'alice', 'tea');
  const secret = await post(app, 'alice', 'secret tea');
  const quoting = await post(app, 'carol', 'so true', { quote_id: open.id });
  const other = await post(app, 'carol', 'true too', { quote_id: secret.id });
  await app.sql('update statuses set visibility = 2 where id = $1', [secret.id]);
  await (await app.world.as('dave')).post(`/api/v1/accounts/${idOf('alice')}/block`).expect(200);
  await (await app.world.as('erin')).post(`/api/v1/statuses/${open.id}/favourite`).expect(200);
  return [quoting.id, other.id, (await reblog(app, 'bob', quoting.id)).id];
}

describe('entries for many viewers at once', () => {
  it('are the same as for each viewer alone, or nothing', async () => {
    const ids = await variedEntries();
    const entries = ids.flatMap((id) => VIEWERS.map((viewer) => ({ id, viewerId: idOf(viewer) })));
    const together = await shared.many([...entries, { id: 'AAAAAAAAAAAAAAAAAA', viewerId: '' }]);
    const alone = await Promise.all(
      entries.map(async ({ id, viewerId }) => {
        const [json] = await app.get(StatusView).byIds([id], { viewerId: viewerId === '' ? undefined : viewerId });
        return json?.parse();
      }),
    );
    expect(together.map((entry) => entry?.json.parse())).toEqual([...alone, undefined]);
    expect(together.filter((entry) => entry !== undefined)).toHaveLength(2 + 6 + 6 + 2 + 6);
  });

  it('show quoted posts to viewers who may see them, for two more statements', async () => {
    const ids = await quotes();
    const entries = ids.flatMap((id) => VIEWERS.map((viewer) => ({ id, viewerId: idOf(viewer) })));
    const { result: together, statements } = await countQueries(() => shared.many(entries));
    expect(statements.filter((name) => name === 'statuses.entries')).toHaveLength(2);
    expect(statements.filter((name) => name === 'statuses.quoted_for_viewers')).toHaveLength(1);
    let shown = 0;
    for (const [at, { id, viewerId }] of entries.entries()) {
      const [json] = await app.get(StatusView).byIds([id], { viewerId: viewerId === '' ? undefined : viewerId });
      const alone = json?.parse() as StatusJson | undefined;
      expect(together[at]?.json.parse()).toEqual(alone);
      const post = alone?.reblog ?? alone;
      if (post?.svc.quote_visible) shown += 1;
    }
    expect(shown).toBe(5 + 2 + 5);
  });

  it('name the parent only to viewers who may see it', async () => {
    await app.world.follow('dave', 'alice');
    const secret = await post(app, 'alice', 'for followers', { visibility: 'private' });
    const { id } = await post(app, 'alice', 'to all', { in_reply_to_id: secret.id, visibility: 'public' });
    const entries = await shared.many(['dave', 'erin'].map((viewer) => ({ id, viewerId: idOf(viewer) })));
    const parents = entries.map((entry) => (entry!.json.parse() as StatusJson).in_reply_to_id);
    expect(parents).toEqual([secret.id, null]);
  });

  it('tell signed-in viewers only whether they voted in a poll', async () => {
    const { id } = await post(app, 'alice', 'tea?', { poll: { options: ['yes', 'no'], expires_in: 300 } });
    const entries = await shared.many(['', 'dave', 'alice'].map((viewer) => ({ id, viewerId: idOf(viewer) })));
    const voted = entries.map((entry) => (entry!.json.parse() as StatusJson).poll?.voted);
    expect(voted).toEqual([undefined, false, true]);
  });

  it('show each viewer whether it may quote the post', async () => {
    const { id } = await post(app, 'alice', 'tea', { quote_approval_policy: 'followers' });
    await app.world.follow('dave', 'alice');
    const viewers = ['', 'erin', 'dave', 'alice'];
    const entries = await shared.many(viewers.map((viewer) => ({ id, viewerId: idOf(viewer) })));
    const permissions = entries.map((entry) => (entry!.json.parse() as StatusJson).quote_approval.current_user);
    expect(permissions).toEqual(['denied', 'denied', 'automatic', 'automatic']);
    const { id: open } = await post(app, 'alice', 'tea');
    const others = await shared.many(['', 'erin'].map((viewer) => ({ id: open, viewerId: idOf(viewer) })));
    const openPermissions = others.map((entry) => (entry!.json.parse() as StatusJson).quote_approval.current_user);
    expect(openPermissions).toEqual(['denied', 'automatic']);
  });

  it('show the match of a filter to the owner of the filter only', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const filter = { title: 'Drinks', context: ['home'], keywords_attributes: [{ keyword: 'tea' }] };
    await (await app.world.as('dave')).post('/api/v2/filters', filter).expect(200);
    const entries = await shared.many(['dave', 'erin'].map((viewer) => ({ id, viewerId: idOf(viewer) })));
    const found = entries.map((entry) => (entry!.json.parse() as StatusJson).filtered);
    expect(found).toMatchObject([[{ filter: { title: 'Drinks' } }], []]);
  });

  it('F28 leave out a quote by an account that its author blocks, but not the same post in other quotes', async () => {
    const { id: quoted } = await post(app, 'bob', 'a remark');
    const quotes = [
      await post(app, 'alice', 'so true', { quote_id: quoted }),
      await post(app, 'carol', 'no', { quote_id: quoted }),
    ];
    await app.get(BlocksService).block(app.world.id('bob'), app.world.id('alice'));
    const entries = await shared.many(quotes.map(({ id }) => ({ id, viewerId: idOf('erin') })));
    const shown = entries.map((entry) => (entry!.json.parse() as StatusJson).svc);
    expect(shown).toMatchObject([{ quote_visible: false }, { quote_visible: true }]);
  });

  it('leave out the reactions of deleted accounts and the quotes of muted accounts', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await (await app.world.as('carol')).put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`);
    const quoting = await post(app, 'alice', 'so true', { quote_id: (await post(app, 'bob', 'a remark')).id });
    await app.sql('update accounts set deactivated_at = now() where id = $1', [idOf('carol')]);
    await app.sql('insert into mutes (account_id, target_id, notifications) values ($1, $2, false)', [
      idOf('dave'),
      idOf('bob'),
    ]);
    const entries = await shared.many([id, quoting.id].map((one) => ({ id: one, viewerId: idOf('dave') })));
    const shown = entries.map((entry) => (entry!.json.parse() as StatusJson).svc);
    expect(shown).toMatchObject([{ emoji_reactions: [] }, { quote_visible: false }]);
  });

  it('are one object for all viewers with the same view', async () => {
    const [, answer = ''] = await variedEntries();
    const entries = await shared.many(VIEWERS.map((viewer) => ({ id: answer, viewerId: idOf(viewer) })));
    const views = entries.map((entry) => entry?.json);
    const [anonymous, author, follower, reblogger, fan, otherFan] = views;
    expect(new Set(views).size).toBe(5); // carol boosted it, so her view differs
    expect(otherFan).toBe(fan);
    expect(new Set([anonymous, author, follower, reblogger, fan]).size).toBe(5);
  });

  it('cost three statements for any number of entries and viewers', async () => {
    const warm = ['accounts.counts', 'statuses.entries', 'statuses.viewer_states'];
    const ids = await makeStatuses(app, ['alice', 'bob'], 20);
    const all = ids.flatMap((id) => VIEWERS.map((viewer) => ({ id, viewerId: idOf(viewer) })));
    const cold = await countQueries(() => shared.many(all));
    expect(cold.statements.toSorted()).toEqual([...warm, 'accounts.by_ids', 'statuses.bodies'].toSorted());
    expect((await countQueries(() => shared.many(all))).statements.toSorted()).toEqual(warm);
    expect((await countQueries(() => shared.many(all.slice(0, 2)))).statements.toSorted()).toEqual(warm);
    const anonymous = await countQueries(() => shared.many(all.slice(0, 1)));
    expect(anonymous.statements.toSorted()).toEqual(['accounts.counts', 'statuses.entries']);
    expect((await countQueries(() => shared.many([]))).statements).toEqual([]);
  });

  it('cost one more statement when accounts have moved', async () => {
    const people = ['alice', 'bob', 'carol', 'dave'];
    await app.sql('update accounts set moved_to_id = $1 where nickname = any($2)', [idOf('erin'), people]);
    const ids = await makeStatuses(app, people, 8);
    const all = ids.flatMap((id) => VIEWERS.map((viewer) => ({ id, viewerId: idOf(viewer) })));
    await shared.many(all);
    expect((await countQueries(() => shared.many(all))).statements.toSorted()).toEqual([
      'accounts.counts',
      'accounts.counts_of_active',
      'statuses.entries',
      'statuses.viewer_states',
    ]);
  });

  it('cost one more statement when not everybody may see all of them', async () => {
    const { id } = await post(app, 'alice', 'for followers', { visibility: 'private' });
    const open = await makeStatuses(app, 'bob', 3);
    const all = [id, ...open].flatMap((one) => VIEWERS.map((viewer) => ({ id: one, viewerId: idOf(viewer) })));
    await shared.many(all);
    expect((await countQueries(() => shared.many(all))).statements.toSorted()).toEqual([
      'accounts.counts',
      'statuses.entries',
      'statuses.entries_for_viewers',
      'statuses.viewer_states',
    ]);
  });
});

describe('conversations for many participants at once', () => {
  const PEOPLE = ['alice', 'bob', 'carol', 'dave'];

  it('are the same as for each participant alone, for two statements, and one more when an account has moved', async () => {
    const { id } = await post(app, 'alice', '@bob @carol @dave hi', { visibility: 'direct' });
    await app.sql('update accounts set moved_to_id = $1 where nickname = $2', [idOf('erin'), 'bob']);
    await app.sql('update accounts set hide_followers_count = true, version = version + 1');
    await app.world.follow('erin', 'carol');
    const entries = PEOPLE.map((name) => ({ id, viewerId: idOf(name) }));
    const many = () => app.get(BatchConversationView).many(entries, () => Json.of(null));
    await many();
    const { result, statements } = await countQueries(many);
    expect(statements.toSorted()).toEqual([
      'accounts.counts',
      'accounts.counts_of_active',
      'conversations.of_statuses',
    ]);
    for (const [at, name] of PEOPLE.entries()) {
      const [alone] = (await (await app.world.as(name)).get('/api/v1/conversations').expect(200)).body as object[];
      expect(result[at]!.parse()).toEqual({ ...alone, last_status: null });
    }
  });
});
