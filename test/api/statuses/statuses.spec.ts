import { type AccountJson, BlocksService } from '../../../src/accounts/index.js';
import {
  ReblogShape,
  type PlainStatusJson,
  PlainStatusShape,
  type StatusSourceJson,
  StatusSourceShape,
} from '../../../src/statuses/index.js';
import { startApp, type TestApp, useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import { expectCountersToMatchRows, ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown as string;
const TIME = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NUMBER = matching(/^\d+$/);
const uuidUnder = (path: string) => matching(new RegExp(`^https://svc\\.test/${path}/[0-9a-f-]{36}$`));

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const accountOf = (nickname: string) =>
  ok<AccountJson>(app.world.anonymous.get(`/api/v1/accounts/${app.world.id(nickname)}`));

describe('a post', () => {
  it('is returned with all its fields', async () => {
    const body = await post(app, 'alice', 'hi @bob, <b>"tea"</b> ☕ #Tea', { spoiler_text: 'on tea', language: 'en' });
    expect(checkShape(PlainStatusShape, body)).toEqual([]);
    expect(body).toEqual({
      id: body.id,
      uri: uuidUnder('objects'),
      url: `https://svc.test/notice/${body.id}`,
      created_at: TIME,
      edited_at: null,
      account: await accountOf('alice'),
      in_reply_to_id: null,
      in_reply_to_account_id: null,
      reblog: null,
      content:
        `<p>hi <span class="h-card"><a class="u-url mention" data-user="${app.world.id('bob')}" ` +
        'href="https://svc.test/users/bob" rel="ugc">@<span>bob</span></a></span>, &lt;b&gt;"tea"&lt;/b&gt; ☕ ' +
        '<a class="mention hashtag" data-tag="tea" href="https://svc.test/tag/tea" rel="tag ugc">#<span>Tea</span></a></p>',
      text: null,
      spoiler_text: 'on tea',
      sensitive: false,
      visibility: 'public',
      language: 'en',
      application: { name: 'Test app', website: 'https://app.test' },
      media_attachments: [],
      mentions: [{ id: app.world.id('bob'), username: 'bob', acct: 'bob', url: 'https://svc.test/users/bob' }],
      tags: [{ name: 'tea', url: 'https://svc.test/tag/tea' }],
      tagged_collections: [],
      emojis: [],
      card: null,
      poll: null,
      replies_count: 0,
      reblogs_count: 0,
      favourites_count: 0,
      filtered: [],
      quotes_count: 0,
      favourited: false,
      reblogged: false,
      bookmarked: false,
      muted: false,
      pinned: false,
      emoji_reactions: [],
      quote: null,
      quote_id: null,
      quote_approval: { automatic: ['public'], manual: [], current_user: 'automatic' },
      svc: {
        local: true,
        conversation_id: NUMBER,
        context: uuidUnder('contexts'),
        direct_conversation_id: null,
        in_reply_to_account_acct: null,
        content: { 'text/plain': 'hi @bob, <b>"tea"</b> ☕ #Tea' },
        spoiler_text: { 'text/plain': 'on tea' },
        expires_at: null,
        thread_muted: false,
        emoji_reactions: [],
        parent_visible: false,
        pinned_at: null,
        bookmark_folder: null,
        list_id: null,
        quotes_count: 0,
        quote: null,
        quote_id: null,
        quote_url: null,
        quote_visible: false,
      },
    });
    const forVisitors = { ...body, quote_approval: { ...body.quote_approval, current_user: 'denied' } };
    expect(await ok(app.world.anonymous.get(`${PATH}/${body.id}`))).toEqual(forVisitors);
  });

  it('is shown with all its fields in a boost of it', async () => {
    const { id } = await post(app, 'alice', 'tea for @carol', { spoiler_text: 'on tea' });
    const boost = await reblog(app, 'bob', id);
    expect(checkShape(ReblogShape, boost)).toEqual([]);
    const inner = await ok(bob.get(`${PATH}/${id}`));
    expect(inner).toMatchObject({ reblogged: true, reblogs_count: 1 });
    expect(boost).toEqual({
      ...inner,
      id: boost.id,
      created_at: TIME,
      account: await accountOf('bob'),
      reblog: inner,
      spoiler_text: '',
      sensitive: false,
      application: null,
      replies_count: 0,
      reblogs_count: 0,
      favourites_count: 0,
      quotes_count: 0,
      svc: { local: true, pinned_at: null, bookmark_folder: null },
    });
    expect(boost.id > id).toBe(true);
  });

  it('accepts form and query parameters as well as JSON, and uses the last of repeated values', async () => {
    const request = app.http.post(`${PATH}?language=de`).set('authorization', `Bearer ${alice.token}`).type('form');
    const body = await ok(request.send('status=tea&visibility=public&visibility=direct&sensitive=on'));
    expect(body).toMatchObject({ content: '<p>tea</p>', visibility: 'direct', sensitive: true, language: 'de' });
  });

  it('uses the default visibility, sensitivity and language of its author', async () => {
    await app.sql(`update users set default_scope = 'unlisted', default_sensitive = true, default_language = 'fr'`);
    expect(await post(app, 'alice', 'thé')).toMatchObject({ visibility: 'unlisted', sensitive: true, language: 'fr' });
  });

  it('mentions known local and remote accounts, or those in `to` instead', async () => {
    await app.world.remote('zoe', 'far.test');
    const mentioned = async (status: string, options = {}) =>
      (await post(app, 'alice', status, options)).mentions.map(({ acct }) => acct);
    expect(await mentioned('@zoe@far.test @BOB @bob@svc.test @nobody @nobody@far.test')).toEqual([
      'zoe@far.test',
      'bob',
    ]);
    expect(await mentioned('about @bob', { to: ['carol', 'zoe@far.test', 'nobody'], visibility: 'direct' })).toEqual([
      'carol',
      'zoe@far.test',
    ]);
  });

  it('that replies to another joins its thread, mentions its author and inherits its visibility', async () => {
    const parent = await post(app, 'alice', 'tea?', { visibility: 'unlisted' });
    const answer = await post(app, 'bob', 'yes', { in_reply_to_id: parent.id });
    expect(answer).toMatchObject({
      in_reply_to_id: parent.id,
      in_reply_to_account_id: app.world.id('alice'),
      visibility: 'unlisted',
      mentions: [{ acct: 'alice' }],
      svc: {
        parent_visible: true,
        in_reply_to_account_acct: 'alice',
        conversation_id: parent.svc.conversation_id,
      },
    });
    expect(await ok(alice.get(`${PATH}/${parent.id}`))).toMatchObject({ replies_count: 1 });
  });

  it('that replies to a boost is a reply to the boosted post', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    const boost = await reblog(app, 'bob', id);
    expect(await post(app, 'carol', 'yes', { in_reply_to_id: boost.id })).toMatchObject({ in_reply_to_id: id });
  });

  it('names its parent only to viewers who may see the parent', async () => {
    const parent = await post(app, 'alice', 'for followers', { visibility: 'private' });
    const answer = await post(app, 'alice', 'for all', { visibility: 'public', in_reply_to_id: parent.id });
    expect(answer).toMatchObject({ in_reply_to_id: parent.id, svc: { parent_visible: true } });
    for (const viewer of [app.world.anonymous, bob]) {
      const seen = await ok(viewer.get(`${PATH}/${answer.id}`));
      expect(seen).toMatchObject({ in_reply_to_id: null, svc: { parent_visible: false } });
    }
  });

  it('cannot mention or reply to an account that blocks its author', async () => {
    await app.get(BlocksService).block(app.world.id('bob'), app.world.id('alice'), {});
    const direct = await post(app, 'alice', '@bob @carol read this', { visibility: 'direct' });
    expect(direct.mentions.map(({ acct }) => acct)).toEqual(['carol']);
    await bob.get(`${PATH}/${direct.id}`).expect(404);
    const theirs = await post(app, 'bob', 'tea');
    await alice.post(PATH, { status: 'no', in_reply_to_id: theirs.id }).expect(403, { error: 'Access denied' });
  });

  it('is counted for its author unless it is direct', async () => {
    for (const visibility of ['public', 'unlisted', 'private', 'local', 'direct']) {
      await post(app, 'alice', 'tea', { visibility });
    }
    expect(await accountOf('alice')).toMatchObject({ statuses_count: 4 });
    await expectCountersToMatchRows(app);
  });

  it('has its extension fields only under the configured brand', async () => {
    const acme = await startApp({ COMPAT_BRAND: 'acme' });
    try {
      await acme.world.person('alice');
      const { id } = await post(acme, 'alice', 'svc stays svc in what people type');
      const boost = (await reblog(acme, 'alice', id)) as unknown as Record<string, Record<string, unknown>>;
      expect(boost).toHaveProperty('acme.local', true);
      expect(boost['reblog']).toHaveProperty('acme.expires_at', null);
      expect(boost['reblog']).not.toHaveProperty('svc');
      expect(boost['content']).toBe('<p>svc stays svc in what people type</p>');
    } finally {
      await acme.close();
    }
  });

  it('identifies its conversation by a number under another brand, as the apps for that brand expect', async () => {
    const namedBy = async (server: TestApp, brand: string) => {
      const { id } = await post(server, 'alice', '@bob psst', { visibility: 'direct' });
      const bob = await server.world.as('bob');
      const [conversation] = await ok<{ id: string }[]>(bob.get('/api/v1/conversations'));
      const shown = await ok<Record<string, object>>(bob.get(`${PATH}/${id}`));
      const row = await server.sql<{ thread: string }>('select conversation_id as thread from statuses');
      return { shown: shown[brand], conversation: conversation!.id, thread: row[0]!.thread };
    };
    const { shown, conversation, thread } = await namedBy(app, 'svc');
    expect(shown).toMatchObject({ conversation_id: thread, direct_conversation_id: conversation });
    const acme = await startApp({ COMPAT_BRAND: 'acme' });
    try {
      await acme.world.persons('alice', 'bob');
      const other = await namedBy(acme, 'acme');
      expect(other.conversation).toMatch(/^\d+$/);
      expect(other.shown).toMatchObject({
        conversation_id: Number(other.thread),
        direct_conversation_id: Number(other.conversation),
      });
      const open = (await post(acme, 'alice', 'tea')) as unknown as Record<string, object>;
      expect(open['acme']).toMatchObject({ conversation_id: expect.any(Number), direct_conversation_id: null });
    } finally {
      await acme.close();
    }
  });
});

describe('statuses by their ids', () => {
  it('are returned in the requested order, without those the caller may not see', async () => {
    const mine = await post(app, 'alice', 'one');
    const hidden = await post(app, 'alice', 'two', { visibility: 'direct' });
    const boost = await reblog(app, 'bob', mine.id);
    const wanted = { ids: [boost.id, hidden.id, mine.id, UNKNOWN, mine.id] };
    const seen = async (client: Client) => (await ok<PlainStatusJson[]>(client.get(PATH, wanted))).map(({ id }) => id);
    expect(await seen(app.world.anonymous)).toEqual([boost.id, mine.id]);
    expect(await seen(alice)).toEqual([boost.id, hidden.id, mine.id]);
  });

  it("are given as `ids[]` or the reference's `id[]`, at most a hundred", async () => {
    const { id } = await post(app, 'alice', 'one');
    for (const query of [`ids[]=${id}`, `id[]=${id}`, `ids=${id}`]) {
      expect((await app.http.get(`${PATH}?${query}`).expect(200)).body).toMatchObject([{ id }]);
    }
    await alice.get(PATH, { ids: Array.from({ length: 101 }, () => id) }).expect(400);
    await alice.get(PATH).expect(400, { error: 'ids is missing' });
  });

  it('return the same 404 whether the ids are hidden, unknown or malformed', async () => {
    const { id } = await post(app, 'alice', 'mine', { visibility: 'direct' });
    for (const unknown of [id, UNKNOWN, '0', 'zzz', '%20', "'--", '9'.repeat(500)]) {
      await bob.get(`${PATH}/${unknown}`).expect(404, { error: 'Record not found' });
    }
  });
});

describe('the source of a post', () => {
  it('is the text that its author typed, and is returned only to the author', async () => {
    const { id } = await post(app, 'alice', '  *tea* ', { content_type: 'text/markdown', spoiler_text: 'cw' });
    const source = await ok<StatusSourceJson>(alice.get(`${PATH}/${id}/source`));
    expect(checkShape(StatusSourceShape, source)).toEqual([]);
    expect(source).toEqual({ id, text: '*tea*', spoiler_text: 'cw', content_type: 'text/markdown' });
    await bob.get(`${PATH}/${id}/source`).expect(404, { error: 'Record not found' });
    await app.world.anonymous.get(`${PATH}/${id}/source`).expect(401);
  });

  it('is stored once with its text when they are the same, and is shown, edited and federated as before', async () => {
    const { id, uri } = await post(app, 'alice', 'tea & <b>cake</b>');
    const textOf = async () => (await ok<StatusSourceJson>(alice.get(`${PATH}/${id}/source`))).text;
    const federated = () => app.http.get(new URL(uri).pathname).set('accept', 'application/activity+json').expect(200);
    const stored = () => app.sql('select source, content_text from statuses where id = $1', [id]);
    const kept = async (text: string) => {
      expect(await textOf()).toBe(text);
      expect((await federated()).body).toMatchObject({ source: { content: text, mediaType: 'text/plain' } });
    };
    expect(await stored()).toEqual([{ source: '', content_text: 'tea & <b>cake</b>' }]);
    await kept('tea & <b>cake</b>');
    expect(await ok(alice.put(`${PATH}/${id}`, { status: 'tea & <b>cake</b>' }))).toMatchObject({ edited_at: null });
    await ok(alice.put(`${PATH}/${id}`, { spoiler_text: 'food' })); // the text stays
    await kept('tea & <b>cake</b>');
    await ok(alice.put(`${PATH}/${id}`, { status: 'only cake' }));
    expect(await stored()).toEqual([{ source: '', content_text: 'only cake' }]);
    await kept('only cake');
    await app.sql('update statuses set source = content_text where id = $1', [id]); // as it was stored once
    await kept('only cake');
    expect(await ok(alice.delete(`${PATH}/${id}`))).toMatchObject({ text: 'only cake' });
  });
});
