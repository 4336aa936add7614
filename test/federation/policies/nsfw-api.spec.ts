import { SettingsService } from '../../../src/config/index.js';
import { InboxAskingService } from '../../../src/federation/inbox/inbox-asking.service.js';
import { InboxDrainService } from '../../../src/federation/inbox/inbox-drain.service.js';
import { Visibility } from '../../../src/statuses/index.js';
import {
  type Answer,
  cavageHeaders,
  newKey,
  type RawActor,
  sendTo,
  useBeside,
  usePeer,
} from '../../support/federation/raw-peer.js';
import { eventually } from '../../support/eventually.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import { upload } from '../../support/fixtures/uploads.js';
import { freePort } from '../../support/servers/free-port.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

const far = usePeer('far.example');
const api = usePeer('api.example');
const app = useBeside([far, api], { once: ['ada'] });
let mo: RawActor;
let key: ReturnType<typeof newKey>;
let deadApi: string;
let count = 0;

beforeAll(async () => {
  key = newKey();
  mo = far.actor('mo', key);
  await sendTo(app, mo, { id: `${mo.uri}#1`, type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
  const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
  await makeFollows(app, app.world.id('ada'), row!.id);
  deadApi = `http://127.0.0.1:${await freePort()}/`;
});

const changed = new Set<string>();
async function set(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const path of Object.keys(values)) changed.add(path);
  await app.get(SettingsService).update(Object.entries(values).map(([path, value]) => ({ path, value })));
}
beforeEach(async () => {
  await set({ 'mrf.policies': ['NsfwApiPolicy'], 'mrf_nsfw_api.url': `${api.url}/` });
  api.seen.length = 0;
});
afterEach(async () => {
  for (const path of changed) await app.get(SettingsService).reset(path);
  changed.clear();
});

const pathOf = (picture: string) => `/?url=${encodeURIComponent(picture)}`;
/** The address of a picture about which the API says this. */
function picture(answer: Answer | Promise<Answer>): string {
  const address = `${far.url}/pictures/${(count += 1)}.png?size=big&v=1`;
  api.answers.set(pathOf(address), answer);
  return address;
}
const imageOf = (url: string) => ({ type: 'Document', mediaType: 'image/png', url });
const note = (pictures: readonly string[], changes: object = {}) => ({
  id: `${mo.uri}/notes/${(count += 1)}`,
  type: 'Note',
  attributedTo: mo.uri,
  content: '<p>milk</p>',
  to: [PUBLIC],
  attachment: pictures.map(imageOf),
  ...changes,
});
const create = (object: { readonly id: string }) => sendTo(app, mo, createOf(object));
const createOf = (object: { readonly id: string }) => ({ id: `${object.id}#1`, type: 'Create', to: [PUBLIC], object });

/** The stored post; undefined when there is none. */
const stored = async ({ id }: { readonly id: string }) => {
  const rows = await app.sql<{ sensitive: boolean; visibility: number }>(
    'select sensitive, visibility from statuses where uri = $1',
    [id],
  );
  return rows[0];
};
async function received(pictures: readonly string[], changes: object = {}) {
  const post = note(pictures, changes);
  await create(post);
  return stored(post);
}
const UNCHANGED = { sensitive: false, visibility: Visibility.public };
const MARKED = { ...UNCHANGED, sensitive: true };

it.each([
  ['at the threshold', [0.7], MARKED],
  ['below the threshold', [0.69], UNCHANGED],
  ['in one of its pictures', [0, 0.1, 0.99], MARKED],
])('NsfwApiPolicy marks a post by its score: %s', async (_what, scores, expected) => {
  expect(await received(scores.map((score) => picture({ score })))).toEqual(expected);
});

it.each<[switches: Readonly<Record<string, boolean>>, expected: object | undefined]>([
  [{ mark_sensitive: true }, MARKED],
  [{ mark_sensitive: false }, UNCHANGED],
  [{ unlist: true }, { sensitive: true, visibility: Visibility.unlisted }],
  [
    { unlist: true, mark_sensitive: false },
    { sensitive: false, visibility: Visibility.unlisted },
  ],
  [{ reject: true }, undefined],
])('NsfwApiPolicy changes or refuses a post with a sensitive picture under %j', async (switches, expected) => {
  await set(Object.fromEntries(Object.entries(switches).map(([name, value]) => [`mrf_nsfw_api.${name}`, value])));
  expect(await received([picture({ score: 1 })])).toEqual(expected);
});

it('NsfwApiPolicy refuses chat messages with sensitive pictures too', async () => {
  await set({ 'mrf_nsfw_api.reject': true });
  const to = [`${app.env.baseUrl}/users/ada`];
  for (const score of [1, 0]) {
    const id = `${mo.uri}/messages/${(count += 1)}`;
    const object = { id, type: 'ChatMessage', attributedTo: mo.uri, content: 'milk', to };
    const attachment = imageOf(picture({ score }));
    await sendTo(app, mo, { id: `${id}#1`, type: 'Create', to, object: { ...object, attachment } });
    expect(await app.sql('select from chat_messages where uri = $1', [id])).toHaveLength(score === 1 ? 0 : 1);
  }
});

it('NsfwApiPolicy asks about four pictures of a post, each once in an hour, and about no other files', async () => {
  const pictures = Array.from({ length: 5 }, () => picture({ score: 0 }));
  const video = { type: 'Document', mediaType: 'video/mp4', url: `${far.url}/film.mp4` };
  const attachment = [video, ...pictures.map(imageOf)];
  await received([], { attachment });
  await received([], { attachment });
  expect(api.seen.sort()).toEqual(pictures.slice(0, 4).map((each) => `GET ${pathOf(each)}`));
});

it('S1 NsfwApiPolicy sends the API neither an address of a private network nor its own', async () => {
  await received(['http://169.254.169.254/1.png', 'https://[::1]/1.png', `${api.url}/?url=http://10.0.0.1/1.png`]);
  expect(api.seen).toEqual([]);
});

it.each<[what: string, answer: Answer]>([
  ['an error', { status: 500 }],
  ['no score', { result: 1 }],
  ['a list of scores', { score: [1] }],
])('NsfwApiPolicy accepts a post when the API returns %s, and does not ask again at once', async (_what, answer) => {
  await set({ 'mrf_nsfw_api.reject': true, 'mrf_nsfw_api.threshold': 0 });
  const strange = picture(answer);
  expect(await received([strange])).toEqual(UNCHANGED);
  expect(await received([strange])).toEqual(UNCHANGED);
  expect(api.asked(pathOf(strange))).toBe(1);
});

it.each([
  ['a dead API', () => deadApi],
  ['an API in a private network that is not allowed', () => 'http://10.0.0.1/'],
])('NsfwApiPolicy accepts posts with %s', async (_what, url) => {
  await set({ 'mrf_nsfw_api.reject': true, 'mrf_nsfw_api.url': url() });
  expect(await received([picture({ score: 1 })])).toEqual(UNCHANGED);
});

it('NsfwApiPolicy keeps the query in the address of the API', async () => {
  const address = picture({ score: 0 });
  const path = `/check?key=tea&url=${encodeURIComponent(address)}`;
  api.answers.set(path, { score: 1 });
  await set({ 'mrf_nsfw_api.url': `${api.url}/check?key=tea` });
  expect(await received([address])).toEqual(MARKED);
});

it('S13 NsfwApiPolicy does not delay other activities while the API checks a picture', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const slowPicture = picture(promise);
  const [slow, quick] = [note([slowPicture]), note([])];
  for (const post of [slow, quick]) {
    const body = JSON.stringify({ actor: mo.uri, ...createOf(post) });
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
  }
  await app.get(InboxDrainService).drain();
  expect([await stored(slow), await stored(quick)]).toEqual([undefined, UNCHANGED]);
  expect(api.seen).toEqual([]);
  const asking = app.get(InboxAskingService).work({ host: far.host });
  await eventually(() => expect(api.asked(pathOf(slowPicture))).toBe(1));
  resolve({ score: 1 });
  await asking;
  expect(await stored(slow)).toEqual(MARKED);
});

it('NsfwApiPolicy applies only to some actors in a SubchainPolicy', async () => {
  const chain = (pattern: string) =>
    set({ 'mrf.policies': ['SubchainPolicy'], 'mrf.subchains': [[pattern, ['NsfwApiPolicy']]] });
  await chain('/users/zoe');
  expect(await received([picture({ score: 1 })])).toEqual(UNCHANGED);
  expect(api.seen).toEqual([]);
  await chain('/users/mo');
  expect(await received([picture({ score: 1 })])).toEqual(MARKED);
});

it('NsfwApiPolicy accepts posts whose files another policy has removed', async () => {
  const settings = { 'mrf_simple.media_removal': [far.host], 'mrf_nsfw_api.reject': true };
  await set({ 'mrf.policies': ['SimplePolicy', 'NsfwApiPolicy'], ...settings });
  expect(await received([picture({ score: 1 })])).toEqual(UNCHANGED);
});

it('NsfwApiPolicy does not check posts of this server', async () => {
  const ada = await app.world.as('ada');
  const { id } = await upload(app, 'ada');
  const { body } = await ada.post('/api/v1/statuses', { status: 'milk', media_ids: [id] }).expect(200);
  expect(body).toMatchObject({ sensitive: false, media_attachments: [{ id }] });
  expect(api.seen).toEqual([]);
});
