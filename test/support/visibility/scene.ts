import { BlocksService, UsersService } from '../../../src/accounts/index.js';
import { type PlainStatusJson, StatusesService, StatusFlag, Visibility } from '../../../src/statuses/index.js';
import type { TestApp } from '../servers/app.js';
import { makeFollows, makeStatuses } from '../fixtures/factories.js';
import { picture } from '../fixtures/media-files.js';
import { ok, post, reblog } from '../fixtures/statuses.js';
import { sendFile } from '../fixtures/uploads.js';
import { AUTHORS, DOMAIN, type Post, POSTS, REMOTE, VIEWERS } from './oracle.js';
import { canaryOf, MEMBERS, NEEDLE, NOTHING, OTHERS, type Planted, Scene, TAG, viewersWho } from './planted.js';
import { poison } from './poison.js';

type Mutable = { -readonly [Key in keyof Planted]: Planted[Key] };

/** Creates the accounts and posts of the oracle: with the API where it permits, otherwise with rows. */
export async function buildScene(app: TestApp): Promise<Scene> {
  const scene = new Scene(app);
  await arrange(scene);
  for (const made of POSTS) scene.posts.push(await plant(scene, made));
  await app.drain();
  await poison(scene);
  await settle(scene);
  await app.drain();
  return scene;
}

/** Creates the accounts and follows that exist before the posts. */
async function arrange(scene: Scene): Promise<void> {
  const { app, lists } = scene;
  const { world } = app;
  const ids = (names: readonly string[]) => scene.ids(names);
  for (const name of [...MEMBERS, ...OTHERS, 'gone']) await world.person(name); // one by one: passwords take long to hash
  await world.person('locked', { locked: true });
  await world.remote('away', DOMAIN);
  await app.sql('update accounts set hide_favorites = false, discoverable = true'); // accounts are not by default
  const moderators = ids(viewersWho(({ isModerator }) => isModerator));
  await app.sql('update users set is_moderator = true where account_id = any($1)', [moderators]);
  const authors = ids(AUTHORS);
  const followers = viewersWho(({ follows, hides }) => follows === true || hides === 'blocks' || hides === 'blocked');
  await makeFollows(app, ids(followers), authors); // a block ends those of the blocked later
  await makeFollows(app, ids(viewersWho((viewer) => viewer.followsReblogger)), world.id('booster'));
  await app.sql(
    `insert into follows (follower_id, followee_id, state)
     select a, b, 0 from unnest($1::text[]) as follower(a), unnest($2::text[]) as followee(b)`,
    [ids(viewersWho(({ requests }) => requests)), authors],
  );
  await makeFollows(app, world.id('author'), ids(['member', 'leaver', 'latecomer']));
  lists.set('author', await makeList(app, 'author', ids(['member', 'leaver'])));
  for (const { name, list } of VIEWERS.filter((viewer) => viewer.list))
    lists.set(name, await makeList(app, name, authors, list === 'exclusive'));
  await app.sql(
    `with tag as (insert into hashtags (name) values ($2) returning id)
     insert into followed_tags (account_id, hashtag_id) select unnest($1::text[]), id from tag`,
    [ids(viewersWho(({ tag }) => tag)), TAG],
  );
}

async function makeList(app: TestApp, owner: string, members: readonly string[], exclusive = false): Promise<string> {
  const client = await app.world.as(owner);
  const { id } = await ok<{ id: string }>(client.post('/api/v1/lists', { title: 'people', exclusive }));
  await ok(client.post(`/api/v1/lists/${id}/accounts`, { account_ids: members }));
  return id;
}

async function plant(scene: Scene, made: Post): Promise<Planted> {
  const nothing = { id: NOTHING, uri: '', poll: NOTHING, media: NOTHING, scheduled: NOTHING };
  const around = { answer: NOTHING, quoting: NOTHING, boost: NOTHING, ownReblog: NOTHING };
  const blank = { ...made, ...nothing, ...around, notifications: new Map(), conversations: new Map() };
  if (made.state === 'scheduled') return { ...blank, scheduled: await schedule(scene, made) };
  return { ...blank, ...(made.author === REMOTE ? await plantRemote(scene, made) : await compose(scene, made)) };
}

const textOf = (made: Post, more = '') => `@mentioned ${more} ${NEEDLE} ${canaryOf(made)} #${TAG}`;

async function schedule({ app }: Scene, made: Post): Promise<string> {
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const later = await post(app, made.author, canaryOf(made), { scheduled_at: at });
  return later.id;
}

/** Creates a post with the API. A full post is edited once; the edit mentions an account that gets no access by it. */
async function compose({ app, lists, posts }: Scene, made: Post) {
  const { author, kind, visibility } = made;
  const options = { visibility: visibility === 'list' ? `list:${lists.get(author)}` : visibility };
  const written = (status: PlainStatusJson) => ({ id: status.id, uri: status.uri });
  if (kind === 'poll') {
    const poll = { options: [`${canaryOf(made)} yes`, 'no'], expires_in: 86_400 };
    const more = { ...options, poll, to: ['recipient'], in_reply_to_id: posts[0]!.id };
    const status = await post(app, author, textOf(made), more);
    return { ...written(status), poll: status.poll!.id };
  }
  if (kind === 'plain') {
    const expiry = made.state === 'expired' ? { expires_in: 7_200 } : {};
    return written(
      await post(app, author, made.addresses.length > 0 ? textOf(made) : `${NEEDLE} ${canaryOf(made)} #${TAG}`, {
        ...options,
        ...expiry,
      }),
    );
  }
  const file = await sendFile(app, author, await picture(), { description: canaryOf(made) });
  const { id: media } = file.body as { id: string };
  const status = await post(app, author, textOf(made), { ...options, media_ids: [media] });
  const client = await app.world.as(author);
  await ok(client.put(`/api/v1/statuses/${status.id}`, { status: textOf(made, '@stranger'), media_ids: [media] }));
  return { ...written(status), media };
}

/** Stores a remote post as federation does. */
async function plantRemote(scene: Scene, made: Post) {
  const { app } = scene;
  const [id] = (await makeStatuses(app, made.author, 1, { text: `${NEEDLE} ${canaryOf(made)}` })) as [string];
  const uri = `https://${DOMAIN}/objects/${id}`;
  const flags = StatusFlag.mentions | StatusFlag.tags;
  await app.sql(
    `with thread as (insert into conversations (uri) values ($3 || '#context') returning id)
     update statuses set uri = $3, url = $3, local = false, visibility = $2, flags = $4, conversation_id = (select id from thread)
     where id = $1`,
    [id, Visibility[made.visibility], uri, flags],
  );
  await app.sql('insert into mentions (status_id, account_id) select $1, unnest($2::text[])', [
    id,
    made.addresses.map((name) => scene.id(name)),
  ]);
  await app.sql('insert into status_hashtags select $1, id from hashtags where name = $2', [id, TAG]);
  return { id, uri };
}

/** Makes the changes after all posts: blocks, mutes, changes of the list, and deletions. */
async function settle(scene: Scene): Promise<void> {
  const { app, lists } = scene;
  const blocks = app.get(BlocksService);
  for (const author of AUTHORS.map((name) => scene.id(name))) {
    for (const name of viewersWho(({ hides }) => hides === 'blocked')) await blocks.block(author, scene.id(name), {});
    for (const name of viewersWho(({ hides }) => hides === 'blocks')) await blocks.block(scene.id(name), author, {});
    for (const name of viewersWho(({ hides }) => hides === 'mutes'))
      await blocks.mute(scene.id(name), author, { notifications: true });
  }
  await app.sql('insert into domain_blocks (account_id, domain) select unnest($1::text[]), $2', [
    viewersWho(({ hides }) => hides === 'domain').map((name) => scene.id(name)),
    DOMAIN,
  ]);
  const author = await app.world.as('author');
  const members = `/api/v1/lists/${lists.get('author')}/accounts`;
  await ok(author.delete(members, { account_ids: [scene.id('leaver')] }));
  await ok(author.post(members, { account_ids: [scene.id('latecomer')] }));
  for (const { id, state } of scene.posts) {
    if (state === 'deleted') await ok(author.delete(`/api/v1/statuses/${id}`));
    if (state !== 'expired') continue;
    await app.sql(`update statuses set expires_at = now() - interval '1 second' where id = $1`, [id]);
    await app.get(StatusesService).expire({ statusId: id });
  }
  const own = scene.post('author private full stands');
  (own as Mutable).ownReblog = (await reblog(app, 'author', own.id)).id;
  for (const name of ['gone', 'deactivated']) await app.get(UsersService).setActive(scene.id(name), false);
}
