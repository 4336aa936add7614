import { ViewerStateKind } from '../../src/statuses/rendering/viewer-state.sql.js';
import { NAMED_FOLLOWERS } from '../../src/streaming/delivery/audience.repository.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const PEOPLE = 5_000;
const RELATIONS = (1 << ViewerStateKind.authorMute) | (1 << ViewerStateKind.authorBlock);

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

describe('a post on live streams', () => {
  it('reads at most 1,000 followers of its author', async () => {
    expect(await rowsRead(app, 'streaming.followers_of', [[app.world.id('alice')], NAMED_FOLLOWERS])).toBe(
      NAMED_FOLLOWERS,
    );
  });

  it('reads only blocks and mutes of its author to find what listeners see', async () => {
    const [alice, bob] = [app.world.id('alice'), app.world.id('bob')];
    await app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [bob, alice]);
    const state = [[bob, 'l1'], [1, 1], [post], [null], [alice], [RELATIONS], [bob, 'l1']];
    expect(await rowsRead(app, 'streaming.unwanted', [[post], [bob, 'l1'], false])).toBeLessThan(10);
    expect(await rowsRead(app, 'statuses.viewer_states', state)).toBeLessThan(10);
    expect(await rowsRead(app, 'statuses.quoted_for_viewers', [[post], ['l1'], [bob]])).toBeLessThan(10);
  });
});
