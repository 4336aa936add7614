import { SettingsService } from '../../../src/config/index.js';
import { BlocksService } from '../../../src/accounts/index.js';
import { type StatusJson, StatusShape } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/timelines/link';

const app = useApp({ people: ['reader', 'alice', 'bob', 'shy'], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;
let reader: Client;

beforeEach(async () => {
  await app.sql("update accounts set discoverable = nickname <> 'shy'");
  reader = await app.world.as('reader');
  web = await startWebHost();
  web.page('/tea', '<title>Tea</title>');
  web.page('/other', '<title>Other</title>');
});
afterEach(() => web.close());

/** A post that links to a page. */
const share = (nickname: string, path: string, options = {}) =>
  post(app, nickname, `see ${web.origin}${path}`, options);
const idsOf = async (query = {}, client = reader) =>
  (await ok<StatusJson[]>(client.get(PATH, { url: `${web.origin}/tea`, ...query }))).map(({ id }) => id);

describe('the timeline of a link', () => {
  it('lists public posts of discoverable accounts that show its card, newest first', async () => {
    const first = await share('alice', '/tea');
    for (const visibility of ['unlisted', 'private', 'local', 'direct']) await share('alice', '/tea', { visibility });
    await share('shy', '/tea');
    await share('bob', '/other');
    const last = await share('bob', '/tea#top');
    await app.drain();
    for (const client of [reader, app.world.anonymous]) {
      const statuses = await ok<StatusJson[]>(client.get(PATH, { url: `${web.origin}/tea` }));
      expect(statuses.map(({ id }) => id)).toEqual([last.id, first.id]);
      expect(statuses.flatMap((status) => checkShape(StatusShape, status))).toEqual([]);
    }
    expect(await idsOf({ url: ` ${web.origin}/tea#bottom` })).toEqual([last.id, first.id]);
  });

  it('has pages in both directions, and the filters of timelines', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await share('alice', '/tea')).id);
    await app.drain();
    expect(await idsOf({ limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ max_id: ids[1] })).toEqual([ids[2]]);
    expect(await idsOf({ min_id: ids[2], limit: 1 })).toEqual([ids[1]]);
    expect(await idsOf({ since_id: ids[2], limit: 1 })).toEqual([ids[0]]);
    expect(await idsOf({ only_media: true })).toEqual([]);
    expect(await idsOf({ remote: true })).toEqual([]);
    expect(await idsOf({ max_id: ids[2] })).toEqual([]);
    const answer = await reader.get(PATH, { url: `${web.origin}/tea`, limit: 2 });
    expect(answer.headers['link']).toContain('url=');
  });

  it.each(['block', 'mute'] as const)('leaves out posts of accounts that the viewer has a %s of', async (kind) => {
    await share('alice', '/tea');
    await app.drain();
    await app.get(BlocksService)[kind](app.world.id('reader'), app.world.id('alice'), { notifications: true });
    expect(await idsOf()).toEqual([]);
    expect(await idsOf({ with_muted: true })).toHaveLength(kind === 'mute' ? 1 : 0);
  });

  it.each(['unlisted', 'private', 'local', 'direct'])(
    'V20 returns 404 for a page that only %s posts link to, as for an unknown one',
    async (visibility) => {
      await share('alice', '/tea', { visibility });
      await app.drain();
      const answers = await Promise.all(
        ['/tea', '/nothing'].map((path) => reader.get(PATH, { url: `${web.origin}${path}` }).expect(404)),
      );
      expect(answers[0]!.body).toEqual(answers[1]!.body);
    },
  );

  it('returns 404 for an invalid link, and for a page without a preview', async () => {
    await share('alice', '/untitled');
    await app.drain();
    for (const url of ['tea', 'ftp://x.test/', `${web.origin}/untitled`]) await reader.get(PATH, { url }).expect(404);
    await reader.get(PATH).expect(400);
  });

  it('is for members where the public timeline is', async () => {
    await share('alice', '/tea');
    await app.drain();
    const settings = app.get(SettingsService);
    await settings.update([{ path: 'restrict_unauthenticated.timelines', value: { local: false, federated: true } }]);
    await app.world.anonymous.get(PATH, { url: `${web.origin}/tea` }).expect(401);
    expect(await idsOf()).toHaveLength(1);
    await settings.reset('restrict_unauthenticated.timelines');
  });
});
