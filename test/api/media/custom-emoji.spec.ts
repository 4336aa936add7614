import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { EMOJI_CHANGED, EmojiCache } from '../../../src/emoji/index.js';
import { PackStore } from '../../../src/emoji/packs/pack.store.js';
import type { AnnouncementJson } from '../../../src/instance/announcements/announcement.shape.js';
import { AnnouncementsService } from '../../../src/instance/index.js';
import { Bus, MediaStorage, Images } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { addEmoji, disableEmoji, emojiUrl, shownEmoji } from '../../support/fixtures/emoji.js';
import { animation, picture } from '../../support/fixtures/media-files.js';
import { eventually } from '../../support/eventually.js';
import { countQueries } from '../../support/queries.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  await addEmoji(app, 'tea', 'milk', '+1');
});

const status = (id: string) => ok(app.world.anonymous.get(`/api/v1/statuses/${id}`));
const account = (name: string) =>
  ok<{ emojis: unknown[] }>(app.world.anonymous.get(`/api/v1/accounts/${app.world.id(name)}`));

describe('stills of moving pictures', () => {
  const DANCE = '/emoji/Tea%20time/dance.gif';
  const STILL = `${DANCE}/still.webp`;
  const FOLDER = 'emoji/Tea time';
  const stored = async () => (await app.files.names(FOLDER)).filter((name) => name.includes('dance'));
  const frames = async (path: string) => {
    const answer = await app.http.get(path).expect(200);
    const { format, pages = 1 } = await sharp(answer.body as Buffer).metadata();
    return [answer.type, format, pages];
  };
  const dance = async (content: Buffer) => {
    await app.files.write(`${FOLDER}/dance.gif`, content);
    await app.sql(`insert into custom_emojis (shortcode, pack, file) values ('dance', 'Tea time', 'dance.gif')
      on conflict do nothing`);
    app.get(Bus).publish(EMOJI_CHANGED, {});
    await app.get(EmojiCache).settled();
  };

  afterEach(async () => {
    for (const name of await stored()) await app.files.remove(`${FOLDER}/${name}`);
  });

  it('are made once and removed with the picture', async () => {
    await dance(await animation('gif'));
    const known = { shortcode: 'dance', url: `https://svc.test${DANCE}`, static_url: `https://svc.test${STILL}` };
    const list = await ok<unknown[]>(app.world.anonymous.get('/api/v1/custom_emojis'));
    expect(list).toContainEqual(expect.objectContaining(known));
    expect((await post(app, 'alice', ':dance: :tea:')).emojis).toEqual([
      { ...known, visible_in_picker: false },
      shownEmoji('tea'),
    ]);
    const preview = jest.spyOn(app.get(Images), 'preview');
    try {
      const webp = ['image/webp', 'webp', 1];
      expect(await Promise.all([frames(STILL), frames(STILL)])).toEqual([webp, webp]);
      expect(await frames(STILL)).toEqual(webp);
      expect(preview).toHaveBeenCalledTimes(1);
      expect(await frames(DANCE)).toEqual(['image/gif', 'gif', 3]);
      await app.files.write(`${FOLDER}/dance.gif`, await picture('gif'));
      expect(await frames(STILL)).toEqual(webp);
      expect([preview.mock.calls.length, await stored()]).toEqual([
        2,
        [expect.stringMatching(/^\..*webp$/), 'dance.gif'],
      ]);
    } finally {
      preview.mockRestore();
    }
    await app.get(PackStore).remove('Tea time', 'dance.gif');
    expect(await stored()).toEqual([]);
    await app.http.get(STILL).expect(404);
  });

  it('are not served at other addresses or for disabled emoji', async () => {
    await dance(await animation('gif'));
    await app.http.get('/emoji/Tea%20time/tea.png/still.webp').expect(404);
    await app.http.get(`${DANCE}/other.webp`).expect(404);
    await app.http.get(`${STILL}/still.webp`).expect(404);
    await disableEmoji(app, 'dance');
    await app.http.get(STILL).expect(404);
  });

  it('are replaced by the picture itself when none can be made', async () => {
    await dance((await animation('gif')).subarray(0, 60));
    const answer = await app.http.get(STILL).expect(200);
    expect([(answer.body as Buffer).length, answer.type]).toEqual([60, 'image/gif']);
    expect(await stored()).toEqual(['dance.gif']);
    await dance(await animation('gif'));
    const storage = app.get(MediaStorage);
    Object.assign(storage, { isFull: () => Promise.resolve(true) });
    try {
      expect(await frames(STILL)).toEqual(['image/gif', 'gif', 3]);
    } finally {
      Reflect.deleteProperty(storage, 'isFull');
    }
    expect(await stored()).toEqual(['dance.gif']);
  });
});

describe('the list of custom emoji', () => {
  it('contains picture addresses, and is cacheable for a while', async () => {
    const list = await app.world.anonymous.get('/api/v1/custom_emojis').expect(200);
    const listed = { visible_in_picker: true, category: 'Tea time', tags: ['pack:Tea time'] };
    expect(list.body).toEqual(['+1', 'milk', 'tea'].map((name) => ({ ...shownEmoji(name), ...listed })));
    // Web apps prepend the server's address.
    const entry = (name: string) => [name, { tags: ['pack:Tea time'], image_url: new URL(emojiUrl(name)).pathname }];
    for (const path of ['/api/v1/svc/emoji', '/api/svc/emoji', '/api/svc/emoji.json']) {
      const map = await app.world.anonymous.get(path).expect(200);
      expect(map.body).toEqual(Object.fromEntries(['+1', 'milk', 'tea'].map(entry)));
      expect([map.headers, list.headers].map((headers) => headers['cache-control'])).toEqual(
        Array(2).fill('public, max-age=300'),
      );
    }
  });

  it('shows changes made while the database was unreachable', async () => {
    await app.sql(`delete from custom_emojis where shortcode = 'tea'`);
    await app.sql('alter table custom_emojis rename to custom_emojis_away');
    try {
      app.get(Bus).publish(EMOJI_CHANGED, {});
      await expect(app.get(EmojiCache).settled()).rejects.toThrow('custom_emojis');
    } finally {
      await app.sql('alter table custom_emojis_away rename to custom_emojis');
    }
    await eventually(() => expect(app.get(EmojiCache).has('tea')).toBe(false));
  });

  it('shows the description an operator set', async () => {
    await app.sql(
      `update custom_emojis set category = 'Drinks', tags = '{hot,green}', visible_in_picker = false where shortcode = 'tea'`,
    );
    await disableEmoji(app, 'milk');
    const list = await ok<unknown[]>(app.world.anonymous.get('/api/v1/custom_emojis'));
    expect(list.slice(1)).toEqual([
      { ...shownEmoji('tea'), category: 'Drinks', tags: ['pack:Tea time', 'hot', 'green'] },
    ]);
    expect(Object.keys(await ok<object>(app.world.anonymous.get('/api/v1/svc/emoji')))).toEqual(['+1', 'tea']);
  });

  it('reloads when bus messages may have been lost', async () => {
    await app.sql(`delete from custom_emojis where shortcode = 'tea'`);
    (app.get(Bus) as unknown as { noteGap(): void }).noteGap();
    await app.get(EmojiCache).settled();
    expect(app.get(EmojiCache).has('tea')).toBe(false);
  });
});

describe('a post with custom emoji', () => {
  it('lists the emoji of its text, warning and poll, each once', async () => {
    const poll = { options: [':milk:', 'water'], expires_in: 600 };
    const { id, ...made } = await post(app, 'alice', ':tea: or :tea: :coffee:?', { spoiler_text: ':+1:', poll });
    expect(made.content).toContain(':tea: or :tea:');
    expect(made.emojis).toEqual(['tea', '+1', 'milk'].map(shownEmoji));
    expect(made.poll!.emojis).toEqual([shownEmoji('milk')]);
    const shown = await status(id);
    expect([shown.emojis, shown.poll!.emojis]).toEqual([made.emojis, made.poll!.emojis]);
    const alone = await ok<{ emojis: unknown[] }>(app.world.anonymous.get(`/api/v1/polls/${made.poll!.id}`));
    expect(alone.emojis).toEqual([shownEmoji('milk')]);
    const boost = await reblog(app, 'bob', id);
    expect([boost.emojis, boost.reblog.emojis]).toEqual([[], made.emojis]);
  });

  it.each([
    ['a word', 'a:tea: :tea:b 12:30:45'],
    ['a link', 'https://tea.example/:tea:/ #:tea:'],
    ['code', '`:tea:`', 'text/markdown'],
    ['an unfinished one', ':tea : tea: :te a:'],
    ['one in capitals', ':TEA:'],
  ])('lists none in %s', async (_, text, type = 'text/plain') => {
    const { emojis } = await post(app, 'alice', text, { content_type: type });
    expect(emojis).toEqual(text.includes('#') ? [shownEmoji('tea')] : []);
  });

  it('lists the emoji of former versions of the text', async () => {
    const { id } = await post(app, 'alice', 'a cup of :tea:');
    await ok(alice.put(`/api/v1/statuses/${id}`, { status: 'a glass of :milk:' }));
    const history = await ok<{ emojis: unknown[] }[]>(alice.get(`/api/v1/statuses/${id}/history`));
    expect(history.map(({ emojis }) => emojis)).toEqual([[shownEmoji('tea')], [shownEmoji('milk')]]);
  });

  it('lists them before it is published', async () => {
    const preview = await ok(alice.post('/api/v1/statuses', { status: ':tea:', preview: true }));
    expect(preview.emojis).toEqual([shownEmoji('tea')]);
  });

  it('leaves out disabled emoji, also in cached bodies', async () => {
    const { id } = await post(app, 'alice', ':tea: :milk:');
    expect((await status(id)).emojis).toHaveLength(2);
    await disableEmoji(app, 'tea');
    expect((await status(id)).emojis).toEqual([shownEmoji('milk')]);
    await app.http.get('/emoji/Tea%20time/tea.png').expect(404);
    await disableEmoji(app, 'tea', false);
    expect((await status(id)).emojis).toHaveLength(2);
  });

  it('lists only emoji of its own server when it is remote', async () => {
    await app.world.remote('remy', 'far.example');
    const { id } = await post(app, 'bob', ':tea: :cat:', { poll: { options: [':cat:', ':tea:'], expires_in: 600 } });
    const cat = { shortcode: 'cat', url: 'https://far.example/cat.gif', static_url: 'https://far.example/cat.png' };
    await app.sql(
      `update statuses set author_id = $2, local = false, emojis = $3::jsonb, version = version + 1 where id = $1`,
      [id, app.world.id('remy@far.example'), JSON.stringify([cat])],
    );
    const shown = await status(id);
    const expected = [{ ...cat, visible_in_picker: false }];
    expect([shown.emojis, shown.poll!.emojis]).toEqual([expected, expected]);
    const [latest] = await ok<{ emojis: unknown[] }[]>(alice.get(`/api/v1/statuses/${id}/history`));
    expect(latest!.emojis).toEqual(expected);
  });
});

it('renders custom emoji without a statement', async () => {
  await post(app, 'alice', 'plain');
  const { id: plain } = await post(app, 'bob', 'plain');
  const { id: emojied } = await post(app, 'bob', ':tea: :milk: :+1:', { spoiler_text: ':tea:' });
  const sent = async (path: string) => (await countQueries(() => app.world.anonymous.get(path).expect(200))).statements;
  await app.world.anonymous.get(`/api/v1/statuses/${plain}`).expect(200);
  await app.world.anonymous.get(`/api/v1/statuses/${emojied}`).expect(200);
  expect(await sent(`/api/v1/statuses/${emojied}`)).toEqual(await sent(`/api/v1/statuses/${plain}`));
  for (const path of ['/api/v1/custom_emojis', '/api/v1/svc/emoji']) expect(await sent(path)).toEqual([]);
});

describe('an account with custom emoji', () => {
  it('lists the emoji of its name, note and fields', async () => {
    await ok<unknown>(
      alice.patch('/api/v1/accounts/update_credentials', {
        display_name: 'Alice :tea:',
        note: 'I like :milk: and https://a.example/:+1:',
        fields_attributes: [{ name: 'thumb', value: ':+1:' }],
      }),
    );
    const expected = ['milk', '+1', 'tea'].map(shownEmoji);
    expect((await account('alice')).emojis).toEqual(expected);
    expect((await ok<{ emojis: unknown[] }>(alice.get('/api/v1/accounts/verify_credentials'))).emojis).toEqual(
      expected,
    );
    await disableEmoji(app, 'milk');
    expect((await account('alice')).emojis).toEqual(['+1', 'tea'].map(shownEmoji));
  });

  it('stores them when it is remote', async () => {
    await app.world.remote('remy', 'far.example');
    const cat = { shortcode: 'cat', url: 'https://far.example/cat.gif', static_url: 'https://far.example/cat.png' };
    await app.sql(
      `update accounts set display_name = ':cat: :tea:', emojis = $2::jsonb, version = version + 1 where id = $1`,
      [app.world.id('remy@far.example'), JSON.stringify([cat])],
    );
    expect((await account('remy@far.example')).emojis).toEqual([{ ...cat, visible_in_picker: false }]);
  });
});

describe('custom emoji', () => {
  it('are added to the tags of ActivityPub documents', async () => {
    const { uri } = await post(app, 'alice', ':tea: for #all', { spoiler_text: ':milk:' });
    await ok<unknown>(alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice :tea:' }));
    type Tags = { readonly tag: readonly Readonly<Record<string, unknown>>[] };
    const tag = (name: string) => ({
      id: emojiUrl(name),
      type: 'Emoji',
      name: `:${name}:`,
      icon: { type: 'Image', url: emojiUrl(name) },
      updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const note = await ok<Tags>(app.world.anonymous.get(new URL(uri).pathname));
    expect(note.tag.filter(({ type }) => type === 'Emoji')).toEqual([tag('tea'), tag('milk')]);
    expect((await ok<Tags>(app.world.anonymous.get('/users/alice'))).tag).toEqual([tag('tea')]);
  });

  it('are rendered in announcements and their reactions', async () => {
    const { id } = await app.get(AnnouncementsService).create({ content: 'free :tea:' });
    const path = (name: string) => `/api/v1/announcements/${id}/reactions/${encodeURIComponent(name)}`;
    for (const name of [':milk:', 'milk']) await alice.put(path(name)).expect(200, {});
    for (const name of ['coffee', ':coffee:', 'milk@far.example']) {
      await alice.put(path(name)).expect(422, { error: 'name must be an emoji' });
    }
    const [shown] = await ok<AnnouncementJson[]>(alice.get('/api/v1/announcements'));
    expect(shown!.emojis).toEqual([shownEmoji('tea')]);
    const url = emojiUrl('milk');
    expect(shown!.reactions).toEqual([{ name: 'milk', count: 1, me: true, url, static_url: url }]);
    await alice.delete(path('milk')).expect(200, {});
    await alice.delete(path('milk')).expect(404);
  });

  it('are rendered on bookmark folders', async () => {
    const folders = '/api/v1/svc/bookmark_folders';
    const made = await ok<object>(alice.post(folders, { name: 'Tea', emoji: 'tea' }));
    expect(made).toMatchObject({ emoji: ':tea:', emoji_url: emojiUrl('tea') });
    await alice.post(folders, { name: 'Coffee', emoji: ':coffee:' }).expect(422);
  });

  it('change in a second process by a message on the bus', async () => {
    const known = app.get(EmojiCache);
    await app.sql(`insert into custom_emojis (shortcode, pack, file) values ('cocoa', 'Tea time', 'cocoa.png')`);
    expect(known.has('cocoa')).toBe(false);
    app.get(Bus).publish(EMOJI_CHANGED, {});
    await known.settled();
    expect(known.has('cocoa')).toBe(true);
  });
});

describe('the picture of a custom emoji', () => {
  const get = (path: string) => app.http.get(`/emoji/${path}`);

  it('is served with its type and long caching', async () => {
    const answer = await get('Tea%20time/tea.png').expect(200);
    expect(answer.body).toEqual(await picture());
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=1209600',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    await get('Tea%20time/tea.png').set('If-None-Match', answer.headers['etag']!).expect(304);
    const head = await app.http.head('/emoji/Tea%20time/tea.png').expect(200);
    expect(head.headers['content-length']).toBe(answer.headers['content-length']);
  });

  it('E1 E6 E7 is the only kind of file of a pack that is served', async () => {
    const emoji = join(app.env.dataDir, 'emoji');
    await app.files.write('emoji/Tea time/pack.json', '{}');
    await app.files.write('emoji/Tea time/x.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await app.files.write('emoji/Tea time/big.png', Buffer.alloc(1024 * 1024 + 1));
    await app.files.write('emoji/Tea time/folder.png/x', '');
    await app.files.write('emoji/.hidden/tea.png', await picture());
    await writeFile(join(app.env.dataDir, 'secret.png'), await picture());
    await symlink(join(app.env.dataDir, 'secret.png'), join(emoji, 'Tea time', 'link.png')).catch(() => undefined);
    await symlink(app.env.dataDir, join(emoji, 'linked')).catch(() => undefined);
    const paths = [
      ...['pack.json', 'x.svg', 'big.png', 'folder.png', 'link.png', 'none.png', ''].map(
        (file) => `Tea%20time/${file}`,
      ),
      ...['linked/secret.png', '.hidden/tea.png', 'Tea%20time%2Ftea.png', 'tea.png', 'a/b/c.png', ''],
      ...['..%2Fsecret.png', 'Tea%20time/..%2F..%2Fsecret.png', 'Tea%20time/%2e%2e/secret.png', '%2e%2e/secret.png'],
      ...['Tea%20time/tea.png%00', 'Tea%20time%00/tea.png', `${'x'.repeat(5000)}/tea.png`, '..%5Csecret.png'],
    ];
    for (const path of paths) {
      const answer = await get(path);
      expect([path, answer.status < 500 && answer.status >= 400]).toEqual([path, true]);
    }
  });
});
