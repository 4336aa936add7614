import { UsersService } from '../../../src/accounts/index.js';
import { MediaUrls } from '../../../src/media/index.js';
import { movingPng, picture } from '../../support/fixtures/media-files.js';
import { countQueries } from '../../support/queries.js';
import { ok } from '../../support/fixtures/statuses.js';
import { pathOf, upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';
import { gifOf, proxied, proxyOn, sending } from '../../support/servers/proxied.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';

const LONG = 'public, max-age=1209600, immutable';
const SHORT = 'public, max-age=900, must-revalidate';

/** What a moderator or an owner makes of an account; each is a change of its row or that of its user. */
const STATES = {
  ordinary: '',
  deactivated: 'update accounts set deactivated_at = now() where id = $1',
  'not approved': 'update users set is_approved = false where account_id = $1',
  'not confirmed': 'update users set is_confirmed = false where account_id = $1',
  'marked as sensitive': `update accounts set tags = '{mrf_tag:media-force-nsfw}' where id = $1`,
  sandboxed: `update accounts set tags = '{mrf_tag:sandbox}' where id = $1`,
  labelled: `update accounts set tags = '{nice}' where id = $1`,
} as const;
type State = keyof typeof STATES;

const REVERT = [
  `update accounts set deactivated_at = null, tags = '{}' where id = $1`,
  'update users set is_approved = true, is_confirmed = true where account_id = $1',
];

const web = useWebHost();
const app = useApp({ once: [], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let alice: Client;
let id = '';
/** The paths of files of a local account, by kind. */
let files: Record<string, string>;

beforeAll(async () => {
  ({ id } = await app.world.person('alice'));
  await app.world.person('bob');
  alice = await app.world.as('alice');
  await proxyOn(app);
  const image = await picture('png', 1_200, 800);
  const posted = await upload(app, 'alice', image);
  await ok(alice.post('/api/v1/statuses', { status: 'tea', media_ids: [posted.id] }));
  const unposted = await upload(app, 'alice', image);
  const client = app.http.patch('/api/v1/accounts/update_credentials').set('authorization', `Bearer ${alice.token}`);
  const { body } = await client
    .attach('avatar', await movingPng(), 'a.png')
    .attach('header', image, 'h.png')
    .attach('svc_background_image', image, 'b.png')
    .expect(200);
  const account = body as { avatar: string; avatar_static: string; header: string; svc: { background_image: string } };
  files = {
    'a file of a post': pathOf(posted.url),
    'the small picture of a file': pathOf(posted.preview_url),
    'an upload that is not posted': pathOf(unposted.url),
    'the avatar': pathOf(account.avatar),
    'the still of the avatar': pathOf(account.avatar_static),
    'the header': pathOf(account.header),
    'the background': pathOf(account.svc.background_image),
  };
});
afterEach(async () => {
  for (const statement of REVERT) await app.sql(statement, [id]);
});

const facts = async (path: string, headers: Record<string, string> = {}) => {
  const { status, headers: got } = await app.http.get(path).set(headers);
  return [status, got['cache-control']];
};
const enter = async (state: State, accountId = id) => {
  if (STATES[state] !== '') await app.sql(STATES[state], [accountId]);
};

describe.each([
  ['ordinary', 200, LONG],
  ['labelled', 200, LONG],
  ['marked as sensitive', 200, SHORT],
  ['sandboxed', 200, SHORT],
  ['deactivated', 404, 'private, no-store'],
  ['not approved', 404, 'private, no-store'],
  ['not confirmed', 404, 'private, no-store'],
] as const)('V15 files of a local account that is %s', (state, status, caching) => {
  it(`are answered with ${status} and "${caching}"`, async () => {
    for (const path of Object.values(files)) expect(await facts(path)).toEqual([200, LONG]);
    await enter(state);
    const answers = await Promise.all(Object.values(files).map((path) => facts(path)));
    expect(Object.fromEntries(Object.keys(files).map((kind, at) => [kind, answers[at]]))).toEqual(
      Object.fromEntries(Object.keys(files).map((kind) => [kind, [status, caching]])),
    );
    for (const statement of REVERT) await app.sql(statement, [id]);
    for (const path of Object.values(files)) expect(await facts(path)).toEqual([200, LONG]);
  });
});

it.each(['Range', 'If-None-Match'])('V15 files of a deactivated account are not found with %s either', async (name) => {
  const path = files['a file of a post']!;
  const etag = (await app.http.get(path)).headers['etag'] ?? '';
  await app.get(UsersService).setActive(id, false);
  expect(await facts(path, { [name]: name === 'Range' ? 'bytes=0-9' : etag })).toEqual([404, 'private, no-store']);
  expect((await app.http.head(path)).status).toBe(404);
  await app.get(UsersService).setActive(id, true);
});

it('a file that no account has is served and cached for a short time', async () => {
  const other = await upload(app, 'bob');
  await app.sql('delete from attachments where id = $1', [other.id]);
  expect(await facts(pathOf(other.url))).toEqual([200, SHORT]);
});

describe('files of a remote account', () => {
  let turn = 0;
  let zoe = '';
  let urls: Record<string, string>;
  let thumbnail = '';

  beforeEach(async () => {
    turn += 1;
    ({ id: zoe } = await app.world.remote(`zoe${turn}`, 'b.example'));
    const at = (name: string) => {
      web.at(`/${turn}/${name}.gif`, sending(gifOf(100)));
      return `${web.origin}/${turn}/${name}.gif`;
    };
    urls = { file: at('file'), avatar: at('avatar'), header: at('header') };
    thumbnail = at('thumbnail');
    await app.sql('update accounts set avatar_url = $2, header_url = $3 where id = $1', [
      zoe,
      urls['avatar'],
      urls['header'],
    ]);
    await have(zoe, urls['file']!);
  });
  const have = (accountId: string, url: string) =>
    app.sql(`insert into attachments (account_id, type, mime_type, remote_url) values ($1, 'image', 'image/gif', $2)`, [
      accountId,
      url,
    ]);
  const all = () => Promise.all(Object.values(urls).map((url) => facts(proxied(app, url))));

  it('are served through the proxy for a short time in caches, and not while it is deactivated', async () => {
    expect(await all()).toEqual(Array(3).fill([200, SHORT]));
    await app.get(UsersService).setActive(zoe, false);
    web.asked();
    expect(await all()).toEqual(Array(3).fill([404, 'no-store']));
    const preview = pathOf(app.get(MediaUrls).still(urls['avatar']!));
    expect((await app.http.get(`${preview}?static=true`)).status).toBe(404);
    expect(web.asked()).toEqual([]);
    await app.get(UsersService).setActive(zoe, true);
    expect(await all()).toEqual(Array(3).fill([200, SHORT]));
  });

  it('are served as the preview of a video until the account is deactivated', async () => {
    await app.sql(`update attachments set type = 'video', remote_preview_url = $2 where account_id = $1`, [
      zoe,
      thumbnail,
    ]);
    expect(await facts(proxied(app, thumbnail))).toEqual([200, SHORT]);
    await app.get(UsersService).setActive(zoe, false);
    expect(await facts(proxied(app, thumbnail))).toEqual([404, 'no-store']);
  });

  it('are served while another account has them too', async () => {
    const { id: mo } = await app.world.remote(`mo${turn}`, 'b.example');
    await app.sql('update accounts set avatar_url = $2 where id = $1', [mo, urls['avatar']]);
    await have(mo, urls['file']!);
    await app.get(UsersService).setActive(zoe, false);
    expect(await all()).toEqual([
      [200, SHORT],
      [200, SHORT],
      [404, 'no-store'],
    ]);
    await app.get(UsersService).setActive(mo, false);
    expect(await all()).toEqual(Array(3).fill([404, 'no-store']));
  });

  it('are served again as soon as another account has them', async () => {
    await app.get(UsersService).setActive(zoe, false);
    expect(await all()).toEqual(Array(3).fill([404, 'no-store']));
    const { id: mo } = await app.world.remote(`mo${turn}`, 'b.example');
    await app.sql('update accounts set avatar_url = $2 where id = $1', [mo, urls['avatar']]);
    await have(mo, urls['file']!);
    expect(await all()).toEqual([
      [200, SHORT],
      [200, SHORT],
      [404, 'no-store'],
    ]);
  });
});

it('a request for a file costs one statement at first, and none later', async () => {
  const path = files['the header']!;
  await app.get(UsersService).setActive(id, false);
  await app.get(UsersService).setActive(id, true);
  const [first, second] = [
    await countQueries(() => app.http.get(path).expect(200)),
    await countQueries(() => app.http.get(path).expect(200)),
  ];
  expect([first.statements, second.statements]).toEqual([['file_owners.find'], []]);
});
