import type supertest from 'supertest';
import { type CredentialAccountJson, CredentialAccountShape } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { picture } from '../../support/fixtures/media-files.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const PATHS = ['/api/v1/accounts/update_credentials', '/api/v1/update_credentials'];
const TEXTS = {
  display_name: 'Alice A.',
  note: 'about\nme',
  actor_type: 'Group',
  default_scope: 'unlisted',
  language: 'de',
  avatar_description: 'my face',
  header_description: 'my hills',
  birthday: '1990-12-31',
};
const SWITCHES = [
  'locked',
  'discoverable',
  'hide_followers',
  'hide_follows',
  'hide_followers_count',
  'hide_follows_count',
  'no_rich_text',
  'skip_thread_containment',
  'show_birthday',
] as const;
/** Flags whose default is true. */
const SWITCHED_OFF = [
  'indexable',
  'hide_favorites',
  'show_role',
  'allow_following_move',
  'accepts_chat_messages',
] as const;

const everything = {
  ...TEXTS,
  ...Object.fromEntries(SWITCHES.map((name) => [name, true])),
  ...Object.fromEntries(SWITCHED_OFF.map((name) => [name, false])),
  fields_attributes: [
    { name: 'one', value: '1' },
    { name: 'two', value: '2' },
  ],
  also_known_as: ['https://b.example/users/a', 'https://c.example/users/a'],
  attribution_domains: ['blog.example', 'news.example'],
  source: { sensitive: true, language: 'fr' },
  svc_settings_store: { fe: { a: 'x', b: { c: 'y' } } },
};

/** The same values as form fields. */
const FORM: [string, string][] = [
  ...Object.entries(TEXTS),
  ...SWITCHES.map((name, n): [string, string] => [name, ['true', '1', 'on'][n % 3]!]),
  ...SWITCHED_OFF.map((name, n): [string, string] => [name, ['false', '0', 'off'][n % 3]!]),
  ['fields_attributes[0][name]', 'one'],
  ['fields_attributes[0][value]', '1'],
  ['fields_attributes[1][name]', 'two'],
  ['fields_attributes[1][value]', '2'],
  ['also_known_as[]', 'https://b.example/users/a'],
  ['also_known_as[]', 'https://c.example/users/a'],
  ['attribution_domains[]', 'blog.example'],
  ['attribution_domains[]', 'news.example'],
  ['source[sensitive]', 'true'],
  ['source[language]', 'fr'],
  ['svc_settings_store[fe][a]', 'x'],
  ['svc_settings_store[fe][b][c]', 'y'],
];

const expected = {
  display_name: 'Alice A.',
  note: '<p>about<br>me</p>',
  locked: true,
  group: true,
  discoverable: true,
  noindex: false,
  fields: [
    { name: 'one', value: '1', verified_at: null },
    { name: 'two', value: '2', verified_at: null },
  ],
  source: {
    note: 'about\nme',
    privacy: 'unlisted',
    sensitive: true,
    language: 'fr',
    indexable: false,
    hide_collections: true,
    attribution_domains: ['blog.example', 'news.example'],
    svc: { show_role: false, no_rich_text: true, discoverable: true, actor_type: 'Group' },
  },
  svc: {
    hide_favorites: false,
    hide_followers: true,
    hide_follows: true,
    hide_followers_count: true,
    hide_follows_count: true,
    skip_thread_containment: true,
    allow_following_move: false,
    accepts_chat_messages: false,
    show_birthday: true,
    birthday: '1990-12-31',
    also_known_as: ['https://b.example/users/a', 'https://c.example/users/a'],
    avatar_description: 'my face',
    header_description: 'my hills',
    settings_store: { fe: { a: 'x', b: { c: 'y' } } },
  },
};

const app = useApp();
let alice: Client;

beforeEach(async () => {
  await app.world.person('alice');
  alice = await app.world.as('alice');
});

const patch = (path: string) => app.http.patch(path).auth(alice.token, { type: 'bearer' });

const ENCODINGS: Record<string, (path: string) => Promise<supertest.Response>> = {
  JSON: (path) => patch(path).send(everything),
  form: (path) => patch(path).type('form').send(new URLSearchParams(FORM).toString()),
  multipart: async (path) => {
    const request = patch(path);
    for (const [name, value] of FORM) void request.field(name, value);
    return request
      .attach('avatar', await picture('png'), 'a.png')
      .attach('header', await picture('jpeg'), 'b.jpg')
      .attach('svc_background_image', await picture('webp'), 'c.webp');
  },
  query: (path) => patch(`${path}?${new URLSearchParams(FORM).toString()}`),
};
const cases = Object.keys(ENCODINGS).flatMap((encoding) => PATHS.map((path) => [encoding, path] as const));

describe('update_credentials', () => {
  it.each(cases)('accepts all fields as %s at %s', async (encoding, path) => {
    const answer = await ENCODINGS[encoding]!(path);
    expect([answer.status, checkShape(CredentialAccountShape, answer.body)]).toEqual([200, []]);
    expect(answer.body).toMatchObject(expected);
    const { avatar, header, svc } = answer.body as CredentialAccountJson;
    const withPictures = encoding === 'multipart';
    expect([avatar, header, svc.background_image ?? ''].map((url) => url.includes('/media/'))).toEqual([
      withPictures,
      withPictures,
      withPictures,
    ]);
    expect(await app.sql('select locale from users')).toEqual([{ locale: 'de' }]);
    const own = await alice.get('/api/v1/accounts/verify_credentials').expect(200);
    expect(own.body).toMatchObject(expected);
  });

  it.each(cases)('removes optional values as %s at %s', async (encoding, path) => {
    await ENCODINGS[encoding]!(path);
    const emptied = [
      'display_name',
      'note',
      'avatar_description',
      'header_description',
      'birthday',
      'avatar',
      'header',
    ];
    const none = [...emptied, 'svc_background_image', 'also_known_as', 'fields_attributes', 'language'];
    const answer =
      encoding === 'JSON'
        ? await patch(path).send(Object.fromEntries(none.map((name) => [name, ''])))
        : await patch(path)
            .type('form')
            .send(none.map((name) => `${name}=`).join('&'));
    expect([answer.status, checkShape(CredentialAccountShape, answer.body)]).toEqual([200, []]);
    expect(answer.body).toMatchObject({
      display_name: 'alice',
      note: '',
      fields: [],
      avatar: 'https://svc.test/images/avi.png',
      header: 'https://svc.test/images/banner.png',
      svc: { background_image: null, avatar_description: '', header_description: '', also_known_as: [] },
    });
    expect((answer.body as CredentialAccountJson).svc).not.toHaveProperty('birthday');
    expect(await app.sql('select locale from users')).toEqual([{ locale: null }]);
  });

  it.each([null, ''])('leaves a flag unchanged for %j', async (empty) => {
    await patch(PATHS[0]!).send(everything);
    const switches = [...SWITCHES, ...SWITCHED_OFF].map((name) => [name, empty] as const);
    const source = { sensitive: empty };
    const answer = await patch(PATHS[0]!).send({ ...Object.fromEntries(switches), source, display_name: 'A.' });
    expect([answer.status, answer.body]).toMatchObject([200, { ...expected, display_name: 'A.' }]);
  });
});
