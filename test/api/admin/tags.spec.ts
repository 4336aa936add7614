import { type AccountJson, FollowsService } from '../../../src/accounts/index.js';
import { RemoteStatusesService, Visibility } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post, REMOTE_PICTURE, remoteStatus } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp();
let root: Client;
let serial = 0;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.world.persons('alice', 'bob');
  await app.world.remote('zoe', 'far.test');
  root = await app.world.as('root', 'admin');
});

const id = (nickname: string) => app.world.id(nickname);
const tag = (...tags: string[]) =>
  root
    .put('/api/v1/svc/admin/users/tag', {
      nicknames: ['alice', 'zoe@far.test'],
      tags: tags.map((name) => `mrf_tag:${name}`),
    })
    .expect(204);

interface Stored {
  readonly visibility: number;
  readonly sensitive: boolean;
  readonly files: number;
}

/** Creates a post with a file by the local and one by the remote author; returns them as they are stored. */
async function posts(): Promise<Stored[]> {
  const { id: mediaId } = await upload(app, 'alice');
  await post(app, 'alice', 'look', { media_ids: [mediaId] });
  const uri = `https://far.test/posts/${(serial += 1)}`;
  await app
    .get(RemoteStatusesService)
    .create(remoteStatus({ uri, authorId: id('zoe@far.test') }, { attachments: [REMOTE_PICTURE] }));
  return app.sql<Stored>(
    `select s.visibility, s.sensitive, (select count(*)::int from attachments m where m.status_id = s.id) as files
     from statuses s order by s.local desc`,
  );
}
const both = (stored: Stored) => [stored, stored];

describe('a moderation tag', () => {
  it.each([
    ['anything-else', { visibility: Visibility.public, sensitive: false, files: 1 }],
    ['media-force-nsfw', { visibility: Visibility.public, sensitive: true, files: 1 }],
    ['media-strip', { visibility: Visibility.public, sensitive: false, files: 0 }],
    ['force-unlisted', { visibility: Visibility.unlisted, sensitive: false, files: 1 }],
    ['sandbox', { visibility: Visibility.private, sensitive: false, files: 1 }],
  ])('applies to new posts of this server and of others: %s', async (name, stored) => {
    await tag(name);
    expect(await posts()).toEqual(both(stored));
  });

  it('applies to edits too, and ends when it is removed', async () => {
    const { id: mediaId } = await upload(app, 'alice');
    const { id: statusId } = await post(app, 'alice', 'look', { media_ids: [mediaId] });
    const edit = async (status: string) =>
      ok<{ sensitive: boolean }>(
        (await app.world.as('alice')).put(`/api/v1/statuses/${statusId}`, { status, media_ids: [mediaId] }),
      );
    await tag('media-force-nsfw');
    expect((await edit('look here')).sensitive).toBe(true);
    await root
      .delete('/api/v1/svc/admin/users/tag', { nicknames: ['alice'], tags: ['mrf_tag:media-force-nsfw'] })
      .expect(204);
    expect((await edit('look there')).sensitive).toBe(false);
  });

  it.each([
    ['sandbox', true],
    ['force-unlisted', true],
    ['media-strip', undefined],
  ])('shows apps whether the account is limited: %s', async (name, limited) => {
    await tag(name);
    const path = `/api/v1/accounts/${id('alice')}`;
    expect((await ok<AccountJson>(app.world.anonymous.get(path))).limited).toBe(limited);
  });

  it('refuses new followers of other servers, or all new followers', async () => {
    const refusal = 'Could not follow user: alice takes no new followers.';
    const follow = (who: string) => app.get(FollowsService).follow(id(who), id('alice'));
    await tag('disable-remote-subscription');
    await expect(follow('zoe@far.test')).rejects.toThrow(refusal);
    await follow('bob');
    await app.sql('delete from follows');
    await tag('disable-any-subscription');
    await expect(follow('bob')).rejects.toThrow(refusal);
  });
});
