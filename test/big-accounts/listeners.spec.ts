import { BatchStatusView, type PlainStatusJson } from '../../src/statuses/index.js';
import { ViewerStateKind } from '../../src/statuses/rendering/viewer-state.sql.js';
import { NAMED_FOLLOWERS } from '../../src/streaming/delivery/audience.repository.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const PEOPLE = 5_000;
const RELATIONS = (1 << ViewerStateKind.authorMute) | (1 << ViewerStateKind.authorBlock);
const REACTIONS = 1 << ViewerStateKind.reactions;

const app = useApp({ people: ['alice', 'bob'] });
let post: string;

// Everybody follows alice; people follow, block and mute two of their neighbours each.
beforeEach(async () => {
  [post = ''] = await makeStatuses(app, 'alice', 1);
  await app.sql(
    `insert into accounts (id, nickname, ap_id) select 'l' || n, 'l' || n, 'https://svc.test/' || n from generate_series(1, $1) n`,
    [PEOPLE],
  );
  for (const [table, owner, other] of [
    ['follows', 'follower_id', 'followee_id'],
    ['blocks', 'account_id', 'target_id'],
    ['mutes', 'account_id', 'target_id'],
  ] as const) {
    await app.sql(
      `insert into ${table} (${owner}, ${other})
       select 'l' || n, 'l' || ((n + by) % $1 + 1) from generate_series(1, $1) n, generate_series(1, 2) by`,
      [PEOPLE],
    );
  }
  await app.sql(`insert into follows (follower_id, followee_id) select 'l' || n, $2 from generate_series(1, $1) n`, [
    PEOPLE,
    app.world.id('alice'),
  ]);
});

const react = (from: number, to: number) =>
  app.sql(
    `insert into reactions (status_id, account_id, name) select $1, 'l' || n, 'e' || n % 5 from generate_series($2::int, $3) n`,
    [post, from, to],
  );

describe('a post on live streams', () => {
  it('reads at most 1,000 followers of its author', async () => {
    expect(await rowsRead(app, 'streaming.followers_of', [[app.world.id('alice')], NAMED_FOLLOWERS])).toBe(
      NAMED_FOLLOWERS,
    );
  });

  it('reads only blocks and mutes of its author to find what listeners see', async () => {
    const [alice, bob] = [app.world.id('alice'), app.world.id('bob')];
    await app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [bob, alice]);
    const state = [[bob, 'l1'], [1, 1], [post], [null], [alice], [RELATIONS], [bob, 'l1'], [1]];
    expect(await rowsRead(app, 'streaming.unwanted', [[post], [bob, 'l1'], false])).toBeLessThan(10);
    expect(await rowsRead(app, 'statuses.viewer_states', state)).toBeLessThan(10);
    expect(await rowsRead(app, 'statuses.quoted_for_viewers', [[post], ['l1'], [bob]])).toBeLessThan(10);
  });

  it('reads no more of its reactions when there are more than it shows in proportion', async () => {
    const listeners = Array.from({ length: 50 }, (_, n) => `l${n + 1}`);
    const state = [
      listeners,
      listeners.map(() => 1),
      [post],
      [null],
      [app.world.id('alice')],
      [REACTIONS],
      listeners,
      [2_000],
    ];
    await react(1, 2_000);
    const read = await rowsRead(app, 'statuses.viewer_states', state);
    await react(2_001, PEOPLE);
    expect(await rowsRead(app, 'statuses.viewer_states', state)).toBeLessThanOrEqual(read);
  });

  it('shows about the number of its reactions with each emoji, and which is of the listener', async () => {
    await react(1, PEOPLE);
    await app.sql('update status_stats set reactions = $2 where status_id = $1', [post, PEOPLE]);
    const [entry] = await app.get(BatchStatusView).many([{ id: post, viewerId: 'l4999' }]);
    const { emoji_reactions: reactions } = entry?.json.parse() as PlainStatusJson;
    for (const { name, count, me } of reactions) {
      expect(Math.abs(count - PEOPLE / 5)).toBeLessThan(PEOPLE / 50);
      expect(me).toBe(name === 'e4');
    }
    expect(reactions).toHaveLength(5);
  });
});
