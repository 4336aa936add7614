import { ModeratedStatusesService, type RemoteStatus, RemoteStatusesService } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post, REMOTE_PICTURE, remoteStatus } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

/* Files behind a content warning are sensitive, whoever writes the post and however it arrives. */

const app = useApp();
let alice: Client;
let serial = 0;

beforeEach(async () => {
  await app.world.person('alice');
  await app.world.remote('zoe', 'far.test');
  alice = await app.world.as('alice');
});

type Options = Readonly<Record<string, unknown>>;
const file = async () => [(await upload(app, 'alice')).id];

const CASES: [string, { files?: boolean } & Options, boolean][] = [
  ['a file with a warning', { files: true, spoiler_text: 'eyes' }, true],
  ['a file with a warning, sent as not sensitive,', { files: true, spoiler_text: 'eyes', sensitive: false }, true],
  ['a file with an invisible warning', { files: true, spoiler_text: ' \u200b ' }, false],
  ['a file without a warning', { files: true }, false],
  ['a file without a warning, sent as sensitive,', { files: true, sensitive: true }, true],
  ['a text with a warning', { spoiler_text: 'eyes' }, false],
  ['a text with a warning, sent as sensitive,', { spoiler_text: 'eyes', sensitive: true }, true],
];

describe('a new post', () => {
  it.each(CASES)('of %s is marked as sensitive or not', async (_case, { files = false, ...options }, sensitive) => {
    const media_ids = files ? await file() : [];
    const written = await post(app, 'alice', 'tea', { ...options, media_ids });
    expect(written.sensitive).toBe(sensitive);
    const document = await app.http.get(new URL(written.uri).pathname).set('Accept', 'application/activity+json');
    expect(document.body).toMatchObject({ sensitive });
  });
});

describe('an edited post', () => {
  it.each(CASES)('of %s is marked as sensitive or not', async (_case, { files = false, ...options }, sensitive) => {
    const media_ids = files ? await file() : [];
    const { id } = await post(app, 'alice', 'tea', { media_ids });
    const edit = { status: 'more tea', ...options, media_ids };
    expect((await ok(alice.put(`/api/v1/statuses/${id}`, edit))).sensitive).toBe(sensitive);
    const history = await ok<{ sensitive: boolean }[]>(alice.get(`/api/v1/statuses/${id}/history`));
    expect(history.map((version) => version.sensitive)).toEqual([false, sensitive]);
  });

  it('becomes sensitive when only its warning or only its files are added', async () => {
    const { id } = await post(app, 'alice', 'tea', { media_ids: await file() });
    expect((await ok(alice.put(`/api/v1/statuses/${id}`, { spoiler_text: 'eyes' }))).sensitive).toBe(true);
    const { id: other } = await post(app, 'alice', 'tea', { spoiler_text: 'eyes' });
    expect((await ok(alice.put(`/api/v1/statuses/${other}`, { media_ids: await file() }))).sensitive).toBe(true);
  });

  it('stays sensitive after the staff marked it, until the staff removes the mark', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const edit = (changes: Record<string, unknown>) => ok(alice.put(`/api/v1/statuses/${id}`, changes));
    const mark = (sensitive: boolean) => app.get(ModeratedStatusesService).change(id, { sensitive });
    await mark(true);
    const { edited_at } = await ok(alice.get(`/api/v1/statuses/${id}`));
    expect(await edit({ sensitive: false })).toMatchObject({ sensitive: true, edited_at }); // changes nothing
    expect(await edit({ status: 'coffee' })).toMatchObject({ sensitive: true, content: '<p>coffee</p>' });
    await mark(false);
    expect((await edit({ status: 'cocoa' })).sensitive).toBe(false);
    await edit({ status: 'cocoa', sensitive: true });
    expect((await edit({ status: 'cocoa' })).sensitive).toBe(false); // the own mark
    await edit({ status: 'cocoa', sensitive: true });
    await mark(true);
    expect((await edit({ status: 'tea', sensitive: false })).sensitive).toBe(true); // the staff's beside it
  });
});

describe('a scheduled post', () => {
  it.each(CASES)('of %s is marked as sensitive or not', async (_case, { files = false, ...options }, sensitive) => {
    const media_ids = files ? await file() : [];
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    await ok<unknown>(alice.post('/api/v1/statuses', { status: 'tea', ...options, media_ids, scheduled_at }));
    await app.sql('update jobs set run_at = now() where run_at > now()');
    await app.sql('update scheduled_statuses set scheduled_at = now()');
    await app.drain();
    expect(await app.sql('select sensitive from statuses')).toEqual([{ sensitive }]);
  });
});

describe('a remote post, new or edited,', () => {
  const remote = (changes: Partial<RemoteStatus> = {}): RemoteStatus =>
    remoteStatus({ uri: `https://far.test/posts/${serial}`, authorId: app.world.id('zoe@far.test') }, changes);
  const stored = () => app.sql('select sensitive from statuses');

  it.each(CASES)('of %s is marked as sensitive or not', async (_case, { files = false, ...options }, sensitive) => {
    serial += 1;
    const posts = app.get(RemoteStatusesService);
    const changes = {
      spoiler: (options['spoiler_text'] as string | undefined) ?? '',
      sensitive: options['sensitive'] === true,
      attachments: files ? [REMOTE_PICTURE] : [],
    };
    await posts.create(remote(changes));
    expect(await stored()).toEqual([{ sensitive }]);
    serial += 1;
    await app.sql('delete from statuses');
    await posts.create(remote());
    await posts.edit(remote({ ...changes, html: 'more', editedAt: new Date() }));
    expect(await stored()).toEqual([{ sensitive }]);
  });
});
