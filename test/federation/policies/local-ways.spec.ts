import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import type { Client } from '../../support/fixtures/world.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import { sendFile, upload } from '../../support/fixtures/uploads.js';

/** What people of this server write, against the policies that refuse it. */
type Values = Readonly<Record<string, unknown>>;
const STATUSES = '/api/v1/statuses';
const PROFILE = '/api/v1/accounts/update_credentials';
const WORD = 'coffee';
const LATER = new Date(Date.now() + 3_600_000).toISOString();

const app = useApp({ once: [] });
let ada: Client;
let count = 0;

beforeAll(async () => {
  for (const name of ['ada', 'ben', 'cy']) await app.world.person(name);
  ada = await app.world.as('ada');
});

const changed = new Set<string>();
async function set(values: Values): Promise<void> {
  for (const path of Object.keys(values)) changed.add(path);
  await app.get(SettingsService).update(Object.entries(values).map(([path, value]) => ({ path, value })));
}
afterEach(async () => {
  for (const path of changed) await app.get(SettingsService).reset(path);
  changed.clear();
});

const statusOf = async (request: PromiseLike<{ status: number }>) => (await request).status;
const written = (values: Values = {}) => ok<{ id: string }>(ada.post(STATUSES, { status: 'tea', ...values }));

interface Status extends Values {
  readonly status: string;
}
async function posted(values: Values, policies: () => Promise<void>): Promise<number> {
  await policies();
  return statusOf(ada.post(STATUSES, values));
}

/** Ways by which posts and messages of this server come to be; each returns the status of the answer. */
const WAYS: readonly [way: string, write: (values: Status, policies: () => Promise<void>) => Promise<number>][] = [
  ['post', (values, policies) => posted(values, policies)],
  [
    'edit',
    async (values, policies) => {
      const { id } = await written();
      await policies();
      return statusOf(ada.put(`${STATUSES}/${id}`, values));
    },
  ],
  ['answer', async (values, policies) => posted({ ...values, in_reply_to_id: (await written()).id }, policies)],
  ['direct post', (values, policies) => posted({ ...values, visibility: 'direct' }, policies)],
  ['scheduled post', (values, policies) => posted({ ...values, scheduled_at: LATER }, policies)],
  [
    'chat message',
    async ({ status: content }, policies) => {
      await policies();
      const { id } = await ok<{ id: string }>(ada.post(`/api/v1/svc/chats/by-account-id/${app.world.id('ben')}`));
      return statusOf(ada.post(`/api/v1/svc/chats/${id}/messages`, { content }));
    },
  ],
];
const only = (policy: string, settings: Values = {}) => ({ 'mrf.policies': [policy], ...settings });

/** A text that a policy refuses, and the ways on which it passes: a message has one addressee, and no hashtags. */
const REFUSING: readonly [policy: string, status: string, settings: () => Values, passes: readonly string[]][] = [
  ['KeywordPolicy', `@ben more ${WORD}`, () => only('KeywordPolicy', { 'mrf_keyword.reject': [WORD] }), []],
  [
    'MentionPolicy',
    '@ben tea',
    () => only('MentionPolicy', { 'mrf_mention.actors': [`${app.env.baseUrl}/users/ben`] }),
    [],
  ],
  ['HashtagPolicy', '@ben #spam', () => only('HashtagPolicy', { 'mrf_hashtag.reject': ['spam'] }), ['chat message']],
  ['NoEmptyPolicy', '@ben', () => only('NoEmptyPolicy'), ['chat message']],
  [
    'HellthreadPolicy',
    '@ben @cy tea',
    () => only('HellthreadPolicy', { 'mrf_hellthread.reject_threshold': 1 }),
    ['chat message'],
  ],
  [
    'SubchainPolicy with DropPolicy',
    '@ben tea',
    () => only('SubchainPolicy', { 'mrf.subchains': [['~r/ada$/', ['DropPolicy']]] }),
    [],
  ],
];

describe.each(REFUSING)('%s', (_policy, status, settings, passes) => {
  it.each(WAYS)('is applied to texts that local users write as a %s', async (way, write) => {
    expect(await write({ status }, () => Promise.resolve())).toBe(200);
    expect(await write({ status }, () => set(settings()))).toBe(passes.includes(way) ? 200 : 422);
  });
});

/** Texts that are no posts; each returns the status of the answer. */
const TEXTS: readonly [what: string, status: number, write: (text: string) => Promise<number>][] = [
  ['the name of a profile', 403, (text) => statusOf(ada.patch(PROFILE, { display_name: text }))],
  ['the bio of a profile', 403, (text) => statusOf(ada.patch(PROFILE, { note: text }))],
  ['the bio by the newer route', 403, (text) => statusOf(ada.patch('/api/v1/profile', { note: text }))],
  [
    'the name of a field',
    403,
    (text) => statusOf(ada.patch(PROFILE, { fields_attributes: [{ name: text, value: 'x' }] })),
  ],
  [
    'the value of a field',
    403,
    (text) => statusOf(ada.patch(PROFILE, { fields_attributes: [{ name: 'x', value: text }] })),
  ],
  ['the description of an avatar', 403, (text) => statusOf(ada.patch(PROFILE, { avatar_description: text }))],
  ['the description of a header', 403, (text) => statusOf(ada.patch(PROFILE, { header_description: text }))],
  [
    'the description of an upload',
    422,
    async (text) => (await sendFile(app, 'ada', await picture(), { description: text })).status,
  ],
  [
    'the new description of an upload',
    422,
    async (text) => statusOf(ada.put(`/api/v1/media/${(await upload(app, 'ada')).id}`, { description: text })),
  ],
  [
    'the new description of a file in a post',
    422,
    async (text) => {
      const { id } = await upload(app, 'ada');
      const post = await written({ media_ids: [id] });
      const values = { media_ids: [id], media_attributes: [{ id, description: text }] };
      return statusOf(ada.put(`${STATUSES}/${post.id}`, { status: 'tea', ...values }));
    },
  ],
  [
    'the bio of somebody who signs up',
    400,
    async (bio) => {
      await set({ 'captcha.enabled': false });
      const name = `new${(count += 1)}`;
      const person = { username: name, fullname: name, bio, password: 'correct horse', agreement: true };
      return statusOf((await app.world.asApp('write:accounts')).post('/api/v1/accounts', person));
    },
  ],
];

describe.each<[policy: string, settings: () => Values]>([
  ['KeywordPolicy', () => only('KeywordPolicy', { 'mrf_keyword.reject': [`~r/${WORD}/i`] })],
  ['DropPolicy', () => only('DropPolicy')],
])('%s refuses', (policy, settings) => {
  const isTried = ([what]: (typeof TEXTS)[number]) => policy !== 'DropPolicy' || !what.endsWith('in a post');
  it.each(TEXTS.filter(isTried))('%s, with the status %d', async (_what, status, write) => {
    expect(await write('More Coffee')).toBe(200);
    await set(settings());
    expect(await write('More Coffee!')).toBe(status);
  });
});

it('no policy refuses a report of a local user, even with a forbidden word', async () => {
  await set(only('KeywordPolicy', { 'mrf_keyword.reject': [WORD] }));
  await ok(ada.post('/api/v1/reports', { account_id: app.world.id('ben'), comment: `He says ${WORD}` }));
});
