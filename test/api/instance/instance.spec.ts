import supertest from 'supertest';
import { ProfileService, UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import {
  InstanceV1Shape,
  InstanceV2Shape,
  NodeInfo20Shape,
  NodeInfo21Shape,
  NodeInfoLinksShape,
} from '../../../src/instance/index.js';
import { Worker } from '../../../src/platform/index.js';
import { createApp } from '../../../src/server.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { makeDatabase } from '../../support/servers/database.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';

const POLL_LIMITS = { max_options: 20, max_option_chars: 200, min_expiration: 0, max_expiration: 31_536_000 };
const POST_FORMATS = ['text/plain', 'text/html', 'text/markdown', 'text/bbcode'];
const NAMES =
  'mastodon_api mastodon_api_streaming editing multifetch exposable_reactions polls profile_directory quote_posting shareable_emoji_packs svc:bookmark_folders svc:get:main/ostatus svc:group_actors svc_api svc_chat_messages svc_custom_emoji_reactions svc_emoji_reactions svc_explicit_addressing svc:api/v1/notifications:include_types_filter v2_suggestions relay';
const FEATURES = NAMES.split(' ');
const FEDERATION: unknown = expect.objectContaining({ enabled: true, mrf_policies: ['SimplePolicy', 'HashtagPolicy'] });
const DESCRIPTION = 'A server of the federated social web.';
const BANNER = 'https://svc.test/images/banner.png';
const VAPID_KEY = expect.stringMatching(/^B[\w-]{86}$/);
const MEDIA_TYPES =
  'image/png image/jpeg image/gif image/webp image/avif video/mp4 video/webm video/quicktime video/ogg audio/mpeg audio/ogg audio/flac audio/wav audio/mp4 audio/webm';
const CONFIGURATION = {
  accounts: expect.objectContaining({ max_featured_tags: 0 }) as unknown,
  statuses: { max_characters: 5000, max_media_attachments: 1000, characters_reserved_per_url: 23 },
  media_attachments: {
    supported_mime_types: MEDIA_TYPES.split(' '),
    image_size_limit: 16_000_000,
    image_matrix_limit: 52_428_800,
    video_size_limit: 16_000_000,
    video_frame_rate_limit: 60,
    video_matrix_limit: 2_304_000,
  },
  polls: { max_options: 20, max_characters_per_option: 200, min_expiration: 0, max_expiration: 31_536_000 },
};
const LIMITS = {
  avatar_upload_limit: 2_000_000,
  background_upload_limit: 4_000_000,
  banner_upload_limit: 4_000_000,
  background_image: BANNER,
  chat_limit: 5000,
  description_limit: 5000,
  shout_limit: 5000,
};
const NO_DOCUMENTS = { status: null, privacy_policy: null, terms_of_service: null };
const METADATA = {
  account_activation_required: false,
  birthday_required: false,
  birthday_min_age: 0,
  features: FEATURES,
  federation: FEDERATION,
  fields_limits: { max_fields: 10, max_remote_fields: 20, name_length: 512, value_length: 2048 },
  post_formats: POST_FORMATS,
};

const app = useApp({ once: [] });
let version: string;
beforeAll(() => {
  version = `2.7.2 (compatible; svc ${app.env.version})`;
});

/** The body of a 200. */
async function get<T = Record<string, unknown>>(path: string): Promise<T> {
  const { status, body } = (await app.http.get(path)) as { status: number; body: T };
  expect(status).toBe(200);
  return body;
}

describe('an empty server', () => {
  it('describes itself to apps (v1)', async () => {
    const body = await get('/api/v1/instance');
    expect(checkShape(InstanceV1Shape, body)).toEqual([]);
    expect(body).toEqual({
      uri: 'svc.test',
      title: 'svc',
      description: DESCRIPTION,
      short_description: DESCRIPTION,
      email: '',
      version,
      urls: { streaming_api: 'wss://svc.test' },
      stats: { user_count: 0, status_count: 0, domain_count: 0 },
      thumbnail: BANNER,
      languages: ['en'],
      registrations: true,
      approval_required: false,
      invites_enabled: false,
      contact_account: null,
      rules: [],
      configuration: CONFIGURATION,
      max_toot_chars: 5000,
      max_media_attachments: 1000,
      poll_limits: POLL_LIMITS,
      upload_limit: 16_000_000,
      ...LIMITS,
      svc: { metadata: METADATA, stats: { mau: 0 }, vapid_public_key: VAPID_KEY },
    });
  });

  it('describes itself to newer apps (v2), its own fields in its own object only', async () => {
    const body = await get('/api/v2/instance');
    expect(checkShape(InstanceV2Shape, body)).toEqual([]);
    expect(body).toEqual({
      domain: 'svc.test',
      title: 'svc',
      version,
      source_url: '',
      description: DESCRIPTION,
      usage: { users: { active_month: 0 } },
      thumbnail: { url: BANNER, blurhash: null, description: '' },
      icon: [{ src: 'https://svc.test/favicon.png', size: '192x192' }],
      languages: ['en'],
      configuration: {
        ...CONFIGURATION,
        accounts: expect.objectContaining({ max_featured_tags: 0, max_pinned_statuses: 5 }) as unknown,
        media_attachments: { ...CONFIGURATION.media_attachments, description_limit: 5000 },
        timelines_access: expect.anything() as unknown,
        ...{ limited_federation: false, translation: { enabled: false } },
        vapid: { public_key: VAPID_KEY },
        urls: { streaming: 'wss://svc.test', about: 'https://svc.test/', ...NO_DOCUMENTS },
      },
      registrations: { enabled: true, approval_required: false, message: null, url: null },
      contact: { email: '', account: null },
      rules: [],
      svc: { metadata: { ...METADATA, ...LIMITS }, stats: { mau: 0 }, vapid_public_key: VAPID_KEY },
      api_versions: { mastodon: 8 },
    });
  });
});

describe('NodeInfo', () => {
  const document = () => ({
    software: { name: 'svc', version: app.env.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: true,
    usage: { users: { total: 0, activeMonth: 0, activeHalfyear: 0 }, localPosts: 0 },
    metadata: {
      nodeName: 'svc',
      nodeDescription: DESCRIPTION,
      private: false,
      suggestions: { enabled: false },
      staffAccounts: [],
      federation: FEDERATION,
      pollLimits: POLL_LIMITS,
      postFormats: POST_FORMATS,
      uploadLimits: { general: 16_000_000, avatar: 2_000_000, banner: 4_000_000, background: 4_000_000 },
      fieldsLimits: { maxFields: 10, maxRemoteFields: 20, nameLength: 512, valueLength: 2048 },
      accountActivationRequired: false,
      invitesEnabled: false,
      mailerEnabled: false,
      skipThreadContainment: true,
      features: FEATURES,
      restrictedNicknames: expect.arrayContaining(['admin', 'api']),
    },
  });

  it('can be discovered', async () => {
    const body = await get('/.well-known/nodeinfo');
    expect(checkShape(NodeInfoLinksShape, body)).toEqual([]);
    expect(body).toEqual({
      links: [
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: 'https://svc.test/nodeinfo/2.0.json' },
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1', href: 'https://svc.test/nodeinfo/2.1.json' },
      ],
    });
  });

  it.each(['/nodeinfo/2.0', '/nodeinfo/2.0.json'])('has version 2.0 at %s', async (path) => {
    const body = await get(path);
    await app.http
      .get(path)
      .expect(
        'Content-Type',
        'application/json; profile="http://nodeinfo.diaspora.software/ns/schema/2.0#"; charset=utf-8',
      );
    expect(checkShape(NodeInfo20Shape, body)).toEqual([]);
    expect(body).toEqual({ version: '2.0', ...document() });
  });

  it('has version 2.1, which alone names the source as the repository and home page of the software', async () => {
    expect(await get('/nodeinfo/2.1.json')).toEqual({ version: '2.1', ...document() });
    const url = 'https://code.example/svc';
    await app.get(SettingsService).update([{ path: 'instance.source_url', value: url }]);
    const body = await get<{ software: unknown }>('/nodeinfo/2.1');
    expect([checkShape(NodeInfo21Shape, body), body.software]).toMatchObject([[], { repository: url, homepage: url }]);
    expect(await get('/nodeinfo/2.0.json')).toEqual({ version: '2.0', ...document() });
    await app.get(SettingsService).reset('instance.source_url');
  });

  it.each<[path: string, status: number]>([
    ['/nodeinfo/1.0', 404],
    ['/nodeinfo/2.2.json', 404],
    ['/nodeinfo/__proto__', 404],
    ['/nodeinfo/2.0%00', 400],
  ])('answers %s with an error', async (path, status) => {
    const response = await app.http.get(path);
    expect([response.status, response.type]).toEqual([status, 'application/json']);
    expect(response.body).toEqual({ error: expect.any(String) });
  });
});

describe('the documents of the server', () => {
  const settings = () => app.get(SettingsService);

  afterEach(async () => {
    for (const { path, stored } of settings().dump()) if (stored) await settings().reset(path);
  });

  it('cost no query after the first', async () => {
    const paths = ['/api/v1/instance', '/api/v2/instance', '/api/v1/instance/peers', '/nodeinfo/2.0', '/nodeinfo/2.1'];
    for (const path of paths) await get(path);
    const { statements } = await countQueries(async () => {
      for (const path of paths) await get(path);
    });
    expect(statements).toEqual([]);
  });

  it('follow the settings at once', async () => {
    await settings().update([
      { path: 'instance.name', value: 'Näher dran' },
      { path: 'instance.description', value: '<p>Hello <script>alert(1)</script><b>you</b></p>' },
      { path: 'instance.registrations_open', value: false },
      { path: 'instance.limit', value: 500 },
      { path: 'instance.thumbnail', value: 'https://files.example/here.png' },
      { path: 'instance.public', value: false },
      { path: 'instance.safe_dm_mentions', value: true },
    ]);
    expect(await get('/api/v1/instance')).toMatchObject({
      title: 'Näher dran',
      description: '<p>Hello <b>you</b></p>',
      short_description: 'Hello you',
      registrations: false,
      max_toot_chars: 500,
      thumbnail: 'https://files.example/here.png',
    });
    expect(await get('/api/v2/instance')).toMatchObject({
      title: 'Näher dran',
      registrations: { enabled: false },
      configuration: { statuses: { max_characters: 500 } },
    });
    expect(await get('/nodeinfo/2.0')).toMatchObject({
      openRegistrations: false,
      metadata: { nodeName: 'Näher dran', private: true, features: [...FEATURES, 'safe_dm_mentions'] },
    });
  });

  it('are the same for every caller, and need no credentials', async () => {
    const response = await app.http.get('/api/v1/instance').set('authorization', 'Bearer nonsense').expect(200);
    expect(response.body).toEqual(await get('/api/v1/instance'));
  });
});

describe('the staff of the server', () => {
  interface Contacts {
    v1: { username: string; display_name: string } | null;
    v2: unknown;
    staff: string[];
  }

  const contacts = async (): Promise<Contacts> => {
    const v1 = await get<{ contact_account: Contacts['v1'] }>('/api/v1/instance');
    const v2 = await get<{ contact: { account: unknown } }>('/api/v2/instance');
    const { metadata } = await get<{ metadata: { staffAccounts: string[] } }>('/nodeinfo/2.0');
    expect(checkShape(InstanceV1Shape, v1)).toEqual([]);
    expect(checkShape(InstanceV2Shape, v2)).toEqual([]);
    return { v1: v1.contact_account, v2: v2.contact.account, staff: metadata.staffAccounts };
  };

  beforeEach(() => app.reset());

  it('lists active administrators and moderators who show their role; the first administrator is the contact', async () => {
    await app.world.person('alice');
    for (const name of ['root', 'second']) await app.world.person(name, { admin: true });
    const { v1, v2, staff } = await contacts();
    expect(v1).toMatchObject({ username: 'root', acct: 'root', display_name: 'root' });
    expect(v2).toEqual(v1);
    expect(staff).toEqual(['https://svc.test/users/root', 'https://svc.test/users/second']);
  });

  it('shows current profiles', async () => {
    for (const name of ['root', 'second']) await app.world.person(name, { admin: true });
    await contacts();

    await app.get(ProfileService).update(app.world.id('root'), { displayName: 'The gardener' });
    expect((await contacts()).v1).toMatchObject({ username: 'root', display_name: 'The gardener' });

    await app.get(ProfileService).update(app.world.id('root'), { showRole: false });
    expect(await contacts()).toMatchObject({ v1: { username: 'second' }, staff: ['https://svc.test/users/second'] });

    await app.get(UsersService).setActive(app.world.id('second'), false);
    expect(await contacts()).toEqual({ v1: null, v2: null, staff: [] });
    await app.world.person('third').then(contacts);
    await app.get(UsersService).setRole(app.world.id('third'), { isModerator: true });
    expect((await contacts()).staff).toEqual(['https://svc.test/users/third']);
  });
});

describe('the totals of the server', () => {
  beforeEach(() => app.reset());

  it('count active accounts and known servers, by a job', async () => {
    await app.world.persons('alice', 'bob', 'carol', 'dave', 'erin');
    await app.world.remote('mo', 'b.example');
    await app.world.remote('jo', 'a.example');
    await app.world.remote('flo', 'b.example');
    const nicknames = (column: string, value: string, ...names: string[]) =>
      app.sql(
        `update users set ${column} = ${value} where account_id in (select id from accounts where nickname = any($1::text[]))`,
        [names],
      );
    await nicknames('last_active_at', `now() - interval '40 days'`, 'bob');
    await nicknames('last_active_at', `now() - interval '200 days'`, 'carol');
    await nicknames('is_approved', 'false', 'dave');
    await app.get(UsersService).setActive(app.world.id('erin'), false);
    for (const author of ['alice', 'bob', 'dave', 'erin']) await makeStatuses(app, author, 7);
    await app.sql(
      `update account_stats set statuses_count = 7
       where account_id in (select id from accounts where nickname in ('alice', 'bob', 'dave', 'erin'))`,
    );

    await app.get(Worker).enqueueRecurring();
    await app.drain();

    expect(await get('/api/v1/instance')).toMatchObject({
      stats: { user_count: 3, status_count: 14, domain_count: 2 },
      svc: { stats: { mau: 1 } },
    });
    expect(await get('/api/v2/instance')).toMatchObject({ usage: { users: { active_month: 1 } } });
    expect(await get('/nodeinfo/2.1')).toMatchObject({
      usage: { users: { total: 3, activeMonth: 1, activeHalfyear: 2 }, localPosts: 14 },
    });
    expect(await get('/api/v1/instance/peers')).toEqual(['a.example', 'b.example']);
  });
});

describe('the probes', () => {
  it('report a live and ready server', async () => {
    expect(await get('/health/live')).toEqual({ status: 'ok' });
    expect(await get('/health/ready')).toEqual({ status: 'ok' });
  });

  it('report a live server that is not ready without its database', async () => {
    const database = await makeDatabase();
    const nest = await createApp(app.env, database.address);
    await database.drop();
    const http = supertest(nest.getHttpServer());
    await http.get('/health/ready').expect(503, { status: 'unavailable' });
    await http.get('/health/live').expect(200, { status: 'ok' });
    await nest.close();
  });

  it('serve metrics to this machine, and to any machine with the token', async () => {
    const { text, type } = await app.http.get('/metrics').expect(200);
    expect(type).toBe('text/plain');
    expect(text).toContain('http_request_duration_seconds');

    const away = { 'x-forwarded-for': '203.0.113.9' };
    const unknown = await app.http.get('/no-such-page').expect(404);
    const refused = await app.http.get('/metrics').set(away).expect(404);
    expect(refused.body).toEqual(unknown.body);

    await app.get(SettingsService).update([{ path: 'metrics.token', value: 'open-sesame' }]);
    await app.http
      .get('/metrics')
      .set({ ...away, authorization: 'Bearer wrong' })
      .expect(404);
    await app.http
      .get('/metrics')
      .set({ ...away, authorization: 'Bearer open-sesame' })
      .expect(200);
    await app.get(SettingsService).reset('metrics.token');
  });
});

describe('under another brand', () => {
  it('appears in all names', async () => {
    const branded = await startApp({ COMPAT_BRAND: 'acme_x' });
    try {
      const { body: v1 } = (await branded.http.get('/api/v1/instance')) as { body: Record<string, unknown> };
      expect(v1).toMatchObject({
        version: `2.7.2 (compatible; Acme_x ${branded.env.version})`,
        acme_x: { metadata: { features: expect.arrayContaining(['acme_x_api']) } },
      });
      expect(v1).not.toHaveProperty('svc');
      const { body: nodeInfo } = (await branded.http.get('/nodeinfo/2.0')) as { body: { software: unknown } };
      expect(nodeInfo.software).toEqual({ name: 'acme-x', version: branded.env.version });
    } finally {
      await branded.close();
    }
  });
});
