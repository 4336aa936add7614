import { StatusFlag } from '../../../src/statuses/index.js';
import { makeStatuses } from '../fixtures/factories.js';
import { canaryOf, MEMBERS, NOTHING, type Planted, type Scene, viewersWho } from './planted.js';

/*
 * Rows that connect every account with every post: a favourite, a bookmark, an entry of the home feed, a notification,
 * a conversation. None of them permits reading. On real servers such rows remain from earlier permissions or come from
 * bugs.
 */

/** Adds the actions of others and misleading rows to every post. */
export async function poison(scene: Scene): Promise<void> {
  const standing = scene.posts.filter(({ id }) => id !== NOTHING);
  for (const planted of standing.filter(({ kind }) => kind === 'full')) await addCard(scene, planted);
  await answerQuoteAndReblog(scene, standing);
  await likeAndKeep(scene, standing);
  await pretendToFollow(scene, standing);
  await notifyViewers(scene, standing);
  await addConversations(scene, standing);
}

async function addCard({ app }: Scene, planted: Planted): Promise<void> {
  const preview = { title: canaryOf(planted), description: '', author_name: '', author_url: '', provider_name: '' };
  await app.sql(
    `with card as (insert into cards (url, preview, fetched_at) values ($2, $3, now()) returning id)
     insert into status_cards select $1, id from card`,
    [
      planted.id,
      `https://pages.test/${planted.id}`,
      { ...preview, width: 0, height: 0, image: null, image_description: '', opengraph: {} },
    ],
  );
  await app.sql('update statuses set flags = flags | $2, version = version + 1 where id = $1', [
    planted.id,
    StatusFlag.card,
  ]);
}

/** The replies and quotes are unlisted, so that they do not fill the pages of public posts. */
async function answerQuoteAndReblog({ app }: Scene, standing: readonly Planted[]): Promise<void> {
  const ids = standing.map((planted) => planted.id);
  const make = (name: string, text: string) => makeStatuses(app, name, ids.length, { visibility: 1, text });
  const answers = await make('host', 'an answer');
  const quotes = await make('quoter', 'a quote');
  const reblogs = await makeStatuses(app, 'booster', ids.length, { text: '' });
  const pairs = 'unnest($1::text[], $2::text[]) as pair(at, of) join statuses o on o.id = pair.of where s.id = pair.at';
  await app.sql(
    `update statuses s set in_reply_to_id = o.id, in_reply_to_account_id = o.author_id, conversation_id = o.conversation_id from ${pairs}`,
    [answers, ids],
  );
  await app.sql(`update statuses s set quote_of_id = o.id, quote_uri = o.uri from ${pairs}`, [quotes, ids]);
  await app.sql(`update statuses s set reblog_of_id = o.id from ${pairs}`, [reblogs, ids]);
  for (const [at, planted] of standing.entries())
    Object.assign(planted, { answer: answers[at], quoting: quotes[at], boost: reblogs[at] });
  await app.sql(
    `insert into home_feed (account_id, status_id, author_id, reblog_of_id)
     select u.account_id, s.id, s.author_id, s.reblog_of_id from users u, statuses s where s.author_id = $1`,
    [app.world.id('booster')],
  );
}

/** The fan comes last, and so is first in the lists of accounts that acted. */
async function likeAndKeep(scene: Scene, standing: readonly Planted[]): Promise<void> {
  const { app, folders } = scene;
  const ids = standing.map((planted) => planted.id);
  const all = `from users u, unnest($1::text[]) as status(id)`;
  const fan = app.world.id('fan');
  const liked = 'insert into favourites (account_id, status_id) select u.account_id, status.id';
  await app.sql(`${liked} ${all} where u.account_id <> $2`, [ids, fan]);
  await app.sql(`${liked} ${all} where u.account_id = $2`, [ids, fan]);
  await app.sql(
    `insert into reactions (status_id, account_id, name) select status.id, $2, '🍵' from unnest($1::text[]) as status(id)`,
    [ids, fan],
  );
  await app.sql(
    `update status_stats set favourites = (select count(*) from users), reactions = 1, quotes = 1, reblogs = 1, replies = replies + 1
     where status_id = any($1)`,
    [ids],
  );
  const made = await app.sql<OwnedRow>(
    `insert into bookmark_folders (id, account_id, name) select 'F' || substr(account_id, 2), account_id, 'kept' from users
     returning id, account_id as owner`,
  );
  for (const [name, folder] of byViewer(scene, made)) folders.set(name, folder);
  await app.sql(
    `insert into bookmarks (account_id, status_id, folder_id)
     select f.account_id, status.id, f.id from bookmark_folders f, unnest($1::text[]) as status(id)`,
    [ids],
  );
  await app.sql(`insert into pins (status_id, account_id) select id, author_id from statuses where id = any($1)`, [
    ids,
  ]);
}

/** Leaves out the followers of the booster, because the post itself in their feed would hide the boost. */
async function pretendToFollow(scene: Scene, standing: readonly Planted[]): Promise<void> {
  await scene.app.sql(
    `insert into home_feed (account_id, status_id, author_id, reblog_of_id)
     select u.account_id, s.id, s.author_id, null from users u, statuses s where s.id = any($1) and u.account_id <> all($2)
     on conflict do nothing`,
    [standing.map((planted) => planted.id), scene.ids(viewersWho(({ followsReblogger }) => followsReblogger))],
  );
}

async function notifyViewers(scene: Scene, standing: readonly Planted[]): Promise<void> {
  for (const planted of standing) {
    const rows = await scene.app.sql<OwnedRow>(
      `insert into notifications (receiver_id, type, from_id, status_id)
       select u.account_id, 'status', s.author_id, s.id from users u, statuses s where s.id = $1 and u.account_id <> s.author_id
       returning id, receiver_id as owner`,
      [planted.id],
    );
    Object.assign(planted, { notifications: byViewer(scene, rows) });
  }
}

async function addConversations(scene: Scene, standing: readonly Planted[]): Promise<void> {
  for (const planted of standing.filter(({ visibility }) => visibility === 'direct')) {
    await scene.app.sql(
      `insert into conversation_participants (account_id, conversation_id, last_status_id, participants)
       select u.account_id, s.conversation_id, s.id, array[s.author_id, u.account_id] from users u, statuses s where s.id = $1
       on conflict do nothing`,
      [planted.id],
    );
    const rows = await scene.app.sql<OwnedRow>(
      `select c.id, c.account_id as owner from conversation_participants c
         join statuses s on s.conversation_id = c.conversation_id where s.id = $1`,
      [planted.id],
    );
    Object.assign(planted, { conversations: byViewer(scene, rows) });
  }
}

interface OwnedRow {
  readonly id: string;
  readonly owner: string;
}

function byViewer(scene: Scene, rows: readonly OwnedRow[]): Map<string, string> {
  const ids = new Map(rows.map(({ owner, id }) => [owner, id]));
  return new Map(MEMBERS.filter((name) => ids.has(scene.id(name))).map((name) => [name, ids.get(scene.id(name))!]));
}
