import { chmod, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { ArchiveStorage } from '../../../src/portability/backups/archive-storage.js';
import { BackupShape, type BackupJson as AnyBackupJson } from '../../../src/portability/backups/backup.shape.js';
import { BackupsService } from '../../../src/portability/backups/backups.service.js';
import { useApp } from '../../support/servers/app.js';
import { itOnDisk, TEST_STORAGE } from '../../support/servers/stored-files.js';
import { useMails } from '../../support/servers/mails.js';
import { checkShape } from '../../support/shape.js';
import { post } from '../../support/fixtures/statuses.js';
import { pathOf, upload } from '../../support/fixtures/uploads.js';
import { unzipped } from '../../support/fixtures/zip.js';

const PATH = '/api/v1/svc/backups';

/** As tokens with the scope `read` see it. */
type BackupJson = AnyBackupJson & { readonly url: string };

const mails = useMails();
const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'], env: () => ({ SMTP_URL: mails.url }) });

beforeEach(async () => {
  await app.files.remove('archives/backups');
});

const list = async (person = 'alice') =>
  (await (await app.world.as(person)).get(PATH).expect(200)).body as BackupJson[];
const ask = async (person = 'alice') => (await app.world.as(person)).post(PATH);
const made = async (person = 'alice'): Promise<BackupJson> => {
  expect((await ask(person)).status).toBe(200);
  await app.drain();
  return (await list(person))[0]!;
};
const download = async (url: string) =>
  (await app.http.get(pathOf(url)).buffer(true).responseType('blob').expect(200)).body as Buffer;
const stored = () => app.files.names('archives/backups');
const makeOlder = (days: number) => app.sql(`update backups set inserted_at = now() - $1 * interval '1 day'`, [days]);

describe('a backup', () => {
  it('tells its address only to tokens with the whole scope read', async () => {
    const narrow = await app.world.as('alice', 'read:accounts', 'read:statuses');
    expect((await narrow.post(PATH).expect(200)).body).toMatchObject([{ processed: false, url: null }]);
    await app.drain();
    expect((await narrow.get(PATH).expect(200)).body).toMatchObject([{ processed: true, url: null }]);
    const [whole] = (await (await app.world.as('alice', 'read')).get(PATH).expect(200)).body as BackupJson[];
    await download(whole!.url);
  });

  it.each([PATH, '/api/svc/backups'])('is requested with %s, and a job makes it for download', async (path) => {
    const alice = await app.world.as('alice');
    expect((await alice.get(path).expect(200)).body).toEqual([]);
    const [asked, ...others] = (await alice.post(path).expect(200)).body as BackupJson[];
    expect(others).toEqual([]);
    expect(checkShape(BackupShape, asked)).toEqual([]);
    expect(asked).toMatchObject({ processed: false, file_size: 0, content_type: 'application/zip' });
    await app.http.get(pathOf(asked!.url)).expect(404);
    await app.drain();
    const [ready] = (await alice.get(path).expect(200)).body as BackupJson[];
    expect(ready).toEqual({ ...asked, processed: true, file_size: expect.any(Number) });
    const archive = await app.http.get(pathOf(ready!.url)).buffer(true).responseType('blob').expect(200);
    expect((archive.body as Buffer).length).toBe(ready!.file_size);
    expect(archive.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="svc-alice-\d{4}-\d\d-\d\d\.zip"$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; form-action 'none'",
      'cache-control': 'private, no-store',
    });
  });

  it('is made when the storage is back after half a day', async () => {
    expect((await ask()).status).toBe(200);
    const away = jest.spyOn(app.get(ArchiveStorage), 'put').mockRejectedValue(new Error('away'));
    for (let tries = 0; tries < 20; tries += 1) {
      await app.sql(`update jobs set run_at = now() where name = 'portability.make-backup'`);
      await app.drain();
    }
    away.mockRestore();
    await app.sql(`update jobs set run_at = now() where name = 'portability.make-backup'`);
    await app.drain();
    expect(await list()).toMatchObject([{ processed: true }]);
  });

  it('holds the account, its posts, likes, lists and files', async () => {
    const picture = await upload(app, 'alice');
    const alice = await app.world.as('alice');
    const bobs = await post(app, 'bob', 'from bob');
    await alice.post('/api/v1/statuses', { status: 'with a picture', media_ids: [picture.id] }).expect(200);
    await post(app, 'alice', 'for followers', { visibility: 'private' });
    await post(app, 'alice', '@bob for you', { visibility: 'direct' });
    await alice.post(`/api/v1/statuses/${bobs.id}/reblog`).expect(200);
    await alice.post(`/api/v1/statuses/${bobs.id}/favourite`).expect(200);
    await alice.post(`/api/v1/statuses/${bobs.id}/bookmark`).expect(200);
    await app.world.remote('frank', 'far.test');
    await alice
      .post(`/api/v1/accounts/${app.world.id('bob')}/follow`, { reblogs: false, languages: ['de', 'fr'] })
      .expect(200);
    await alice.post(`/api/v1/accounts/${app.world.id('carol')}/block`).expect(200);
    await alice.post(`/api/v1/accounts/${app.world.id('frank@far.test')}/mute`, { notifications: false }).expect(200);
    await app.world.follow('dave', 'alice');
    await post(app, 'bob', 'not hers');

    const files = await unzipped(await download((await made()).url));
    const text = (path: string) => files.get(path)?.toString();
    const json = (path: string) => JSON.parse(text(path)!) as Record<string, unknown>;
    expect([...files.keys()].sort()).toEqual([
      'actor.json',
      'blocks.csv',
      'bookmarks.json',
      'domain_blocks.csv',
      'followers.csv',
      'following.csv',
      'likes.json',
      pathOf(picture.url).slice(1),
      'mutes.csv',
      'outbox.json',
    ]);
    expect(json('actor.json')).toMatchObject({
      id: 'https://svc.test/users/alice',
      outbox: 'outbox.json',
      likes: 'likes.json',
    });
    expect(json('likes.json')).toMatchObject({ type: 'OrderedCollection', totalItems: 1, orderedItems: [bobs.uri] });
    expect(json('bookmarks.json')).toMatchObject({ totalItems: 1, orderedItems: [bobs.uri] });
    expect(text('following.csv')).toBe(
      'Account address,Show boosts,Notify on new posts,Languages\nbob@svc.test,false,false,"de, fr"\n',
    );
    expect(text('followers.csv')).toBe('Account address\ndave@svc.test\n');
    expect(text('blocks.csv')).toBe('Account address\ncarol@svc.test\n');
    expect(text('mutes.csv')).toBe('Account address,Hide notifications\nfrank@far.test,false\n');
    const followers = 'https://svc.test/users/alice/followers';
    const publicAddress = 'https://www.w3.org/ns/activitystreams#Public';
    const outbox = json('outbox.json');
    expect(outbox).toMatchObject({
      id: 'outbox.json',
      totalItems: 4,
      orderedItems: [
        { type: 'Create', to: [publicAddress], object: { type: 'Note', attachment: [{ url: picture.url }] } },
        {
          type: 'Create',
          to: [followers],
          cc: [],
          object: { content: expect.stringContaining('for followers') },
        },
        { type: 'Create', to: ['https://svc.test/users/bob'], cc: [] },
        { type: 'Announce', actor: 'https://svc.test/users/alice', object: bobs.uri },
      ],
    });
    expect(JSON.stringify(outbox)).not.toContain('not hers');

    // a server of this kind can import the lists
    await (await app.world.as('carol')).post('/api/svc/follow_import', { list: text('following.csv') }).expect(200);
    await (await app.world.as('dave')).post('/api/svc/mutes_import', { list: text('mutes.csv') }).expect(200);
    await app.drain();
    expect(
      await app.sql(
        `select nickname, reblogs from follows join accounts on accounts.id = followee_id where follower_id = $1`,
        [app.world.id('carol')],
      ),
    ).toEqual([{ nickname: 'bob', reblogs: false }]);
    expect(await app.sql('select notifications from mutes where account_id = $1', [app.world.id('dave')])).toEqual([
      { notifications: false },
    ]);
  });

  it('omits accounts with follow requests only, and expired blocks and mutes', async () => {
    const pair = [app.world.id('alice'), app.world.id('bob')];
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0), ($2, $1, 0)', pair);
    for (const table of ['blocks', 'mutes']) {
      await app.sql(`insert into ${table} (account_id, target_id, expires_at) values ($1, $2, '2024-05-01')`, pair);
    }
    const files = await unzipped(await download((await made()).url));
    for (const name of ['following', 'followers', 'blocks', 'mutes']) {
      expect(files.get(`${name}.csv`)!.toString()).toMatch(/^Account address.*\n$/);
    }
  });

  it("names the exclusive list's members as blind copies", async () => {
    const alice = await app.world.as('alice');
    const { id } = (await alice.post('/api/v1/lists', { title: 'tea' }).expect(200)).body as { id: string };
    await app.world.follow('alice', 'bob');
    await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: [app.world.id('bob')] }).expect(200);
    await post(app, 'alice', 'tea, @carol?', { visibility: `list:${id}` });
    const files = await unzipped(await download((await made()).url));
    const { orderedItems } = JSON.parse(files.get('outbox.json')!.toString()) as { orderedItems: object[] };
    const carol = 'https://svc.test/users/carol';
    expect(orderedItems).toMatchObject([
      { to: [carol], cc: [], bcc: ['https://svc.test/users/bob'], object: { to: [carol], cc: [] } },
    ]);
    expect(orderedItems).not.toHaveProperty('0.object.bcc');
  });

  it('holds all of many posts, in order', async () => {
    await app.sql(
      `insert into statuses (id, author_id, uri, visibility, content_html, local)
       select lpad(n::text, 18, '0'), $1, 'https://svc.test/objects/' || n, 0, 'post ' || n, true from generate_series(1, 450) n`,
      [app.world.id('alice')],
    );
    const files = await unzipped(await download((await made()).url));
    const { orderedItems, totalItems } = JSON.parse(files.get('outbox.json')!.toString()) as {
      orderedItems: { object: { content: string } }[];
      totalItems: number;
    };
    expect(totalItems).toBe(450);
    expect(orderedItems.map(({ object }) => object.content)).toEqual(
      Array.from({ length: 450 }, (_, at) => `post ${at + 1}`),
    );
  });

  it('is announced by mail, in the language of its owner', async () => {
    await app.sql(`update users set locale = 'de-AT' where account_id = $1`, [app.world.id('alice')]);
    const { url } = await made();
    const [letter, ...others] = mails.to('alice@mail.test');
    expect(others).toEqual([]);
    expect(letter?.headers.get('subject')).toBe('Dein Archiv von svc ist fertig');
    expect(letter?.text).toContain(url);
  });

  it('is limited to one a week, also for concurrent requests', async () => {
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await ask()).body).toEqual({ error: 'Last export was less than 7 days ago' });
    await makeOlder(7);
    expect((await ask()).status).toBe(200);
    await app.get(SettingsService).update([{ path: 'backup.limit_days', value: 1 }]);
    expect((await ask()).body).toEqual({ error: 'Last export was less than 1 day ago' });
    expect((await ask('bob')).status).toBe(200);
  });

  it('replaces the former one when it is ready', async () => {
    const first = await made();
    await makeOlder(8);
    await ask();
    expect(await list()).toHaveLength(2);
    await download(first.url);
    await app.drain();
    const [second, ...others] = await list();
    expect(others).toEqual([]);
    await app.http.get(pathOf(first.url)).expect(404);
    await download(second!.url);
    expect(await stored()).toHaveLength(1);
  });

  it('can be downloaded in ranges', async () => {
    const { url, file_size: size } = await made();
    const part = await app.http
      .get(pathOf(url))
      .set('Range', 'bytes=0-3')
      .buffer(true)
      .responseType('blob')
      .expect(206);
    expect((part.body as Buffer).toString('latin1')).toBe('PK\x03\x04');
    expect(part.headers['content-range']).toBe(`bytes 0-3/${size}`);
  });
});

describe('V8 a backup', () => {
  it('is listed only to its owner', async () => {
    await made();
    expect(await list('bob')).toEqual([]);
    await app.world.anonymous.get(PATH).expect(401);
    await app.world.anonymous.post(PATH).expect(401);
  });

  it('can be downloaded at its address only', async () => {
    const [alices, bobs] = [await made('alice'), await made('bob')];
    const [id, secret] = alices.url.split('/').slice(-2) as [string, string];
    for (const [otherId, otherSecret] of [
      [id, bobs.url.split('/').at(-1)!],
      [bobs.id, secret],
      [id, 'x'],
      [id, secret.slice(1)],
      ['999999', secret],
      ['9'.repeat(30), secret],
      ['x', secret],
    ]) {
      await app.http.get(`/backups/${otherId}/${otherSecret}`).expect(404);
    }
  });

  it('cannot be downloaded while the account is deactivated', async () => {
    const { url } = await made();
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    await app.http.get(pathOf(url)).expect(404);
  });
});

describe('P11 archives', () => {
  const keyOf = async () => (await app.sql<{ file_key: string }>('select file_key from backups'))[0]!.file_key;

  it('are not in the public storage', async () => {
    await made();
    await app.http.get(`/media/${await keyOf()}`).expect(404);
    expect(await app.files.names('media')).not.toContain('backups');
  });

  itOnDisk('of older releases move out of the public storage and keep their addresses', async () => {
    const { url, file_size } = await made();
    const key = await keyOf();
    const former = join(app.env.dataDir, 'media', key);
    await mkdir(dirname(former));
    await rename(join(app.env.dataDir, 'archives', key), former);
    await chmod(former, 0o644);
    for (const path of [key, key.replace('/', '%2f')]) await app.http.get(`/media/${path}`).expect(404);

    await app.get(ArchiveStorage).onModuleInit();
    expect(await download(url)).toHaveLength(file_size);
    expect(await readdir(join(app.env.dataDir, 'media'))).not.toContain('backups');
    expect((await stat(join(app.env.dataDir, 'archives', key))).mode & 0o777).toBe(0o600);
  });

  it('are never cached, nor is a 404 before they exist', async () => {
    const [asked] = (await ask()).body as BackupJson[];
    const early = await app.http.get(pathOf(asked!.url)).expect(404);
    expect(early.headers['cache-control']).toBe('private, no-store');
  });
});

describe('J2 a failed backup', () => {
  /** A bucket has none. */
  const drafts = () => (TEST_STORAGE === 'disk' ? readdir(join(app.env.dataDir, 'archives/.drafts')) : []);

  it('leaves nothing behind, keeps the former one, and succeeds on a retry', async () => {
    const before = await made();
    await makeOlder(8);
    await app.sql('alter table favourites rename to away');
    try {
      expect((await ask()).status).toBe(200);
      await app.drain();
    } finally {
      await app.sql('alter table away rename to favourites');
    }
    expect((await list()).map(({ processed }) => processed)).toEqual([false, true]);
    expect(await stored()).toHaveLength(1);
    expect(await drafts()).toEqual([]);
    await download(before.url);
    await app.sql('update jobs set run_at = now()');
    await app.drain();
    expect((await list()).map(({ processed }) => processed)).toEqual([true]);
    expect(await stored()).toHaveLength(1);
  });

  it('leaves no file when it is cancelled during its making', async () => {
    const storage = app.get(ArchiveStorage);
    const stat = jest.spyOn(storage, 'stat').mockImplementationOnce(async (key) => {
      await app.sql('delete from backups');
      return storage.stat(key);
    });
    try {
      await ask();
      await app.drain();
      expect(stat).toHaveBeenCalled();
    } finally {
      stat.mockRestore();
    }
    expect(await stored()).toEqual([]);
  });

  it('can be requested again after a day', async () => {
    await ask();
    await app.sql('delete from jobs where queue = $1', ['transfer']);
    await makeOlder(2);
    expect((await ask()).status).toBe(400);
    await app.get(BackupsService).sweep();
    expect((await ask()).status).toBe(200);
  });
});

describe('D7 backups are removed', () => {
  it('when they are old, and when their account is gone', async () => {
    await made('alice');
    await made('bob');
    await makeOlder(29);
    await made('carol');
    await app.get(BackupsService).sweep();
    await app.drain();
    expect(await stored()).toHaveLength(3);
    await app.sql(`update backups set inserted_at = now() - interval '31 days' where account_id = $1`, [
      app.world.id('alice'),
    ]);
    await app.sql(`update backups set account_id = null where account_id = $1`, [app.world.id('carol')]);
    await app.get(BackupsService).sweep();
    await app.drain();
    expect(await list('alice')).toEqual([]);
    expect(await list('bob')).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });
});
