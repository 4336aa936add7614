import { SettingsService } from '../../../src/config/index.js';
import { type PlainStatusJson, PlainStatusShape } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import { expectCountersToMatchRows, ok, post } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const stored = async () => (await app.sql<{ n: number }>('select count(*)::int as n from statuses'))[0]!.n;

describe('the format', () => {
  it.each([
    ['text/plain', 'a <b> *c*\n[b]d[/b]', '<p>a &lt;b&gt; *c*<br>[b]d[/b]</p>'],
    ['text/markdown', '**a** <script>x</script>', '<p><strong>a</strong> '],
    ['text/html', '<b>a</b><script>x</script>', '<p><b>a</b></p>'],
    ['text/bbcode', '[b]a[/b] <i>b</i>', '<p><strong>a</strong> &lt;i&gt;b&lt;/i&gt;</p>'],
    ['text/x-unknown', '*a*', '<p>*a*</p>'],
  ])('%s is rendered the same in a post and in its preview', async (contentType, status, content) => {
    const input = { status, content_type: contentType };
    const shown = await ok(alice.post(PATH, { ...input, preview: true }));
    expect(await stored()).toBe(0);
    const made = await ok(alice.post(PATH, input));
    expect(made.content).toContain(content);
    expect(made.content).not.toContain('<script');
    expect(shown.content).toBe(made.content);
  });

  it.each([
    ['written', {}],
    ['as a policy left it', { 'mrf.policies': ['KeywordPolicy'], 'mrf_keyword.replace': [['coffee', 'tea']] }],
  ])('no longer allowed stays in an edit of a text %s', async (_how, policies) => {
    const set = (values: object) =>
      app
        .get(SettingsService)
        .update(Object.entries(values).map(([path, value]) => ({ path, value: value as unknown })));
    const edit = (id: string, changes: object) => ok(alice.put(`${PATH}/${id}`, { ...changes }));
    await set(policies);
    const { id } = await post(app, 'alice', '**tea** coffee #Green @bob', { content_type: 'text/markdown' });
    const { id: plainId } = await post(app, 'alice', 'coffee #Green\n@bob', { content_type: 'text/plain' });
    await set({ 'instance.allowed_post_formats': ['text/plain'], 'mrf.policies': [] });
    const { content, tags, mentions } = await ok(alice.get(`${PATH}/${id}`));
    expect(content).toContain('<strong>tea</strong>');
    expect([tags, mentions]).toMatchObject([[{ name: 'green' }], [{ acct: 'bob' }]]);
    expect(await edit(id, { spoiler_text: 'hot' })).toMatchObject({ content, spoiler_text: 'hot', tags, mentions });
    const typed = (await ok<{ text: string }>(alice.get(`${PATH}/${id}/source`))).text;
    expect(await edit(id, { status: typed, content_type: 'text/html' })).toMatchObject({ tags, mentions });
    const word = 'mrf.policies' in policies ? 'tea' : 'coffee';
    expect(await ok(alice.get(`${PATH}/${plainId}/source`))).toMatchObject({ text: `${word} #Green\n@bob` });
    expect((await edit(id, { status: '<b>x</b>', content_type: 'text/bbcode' })).content).toContain('&lt;b&gt;');
    for (const path of ['instance.allowed_post_formats', 'mrf.policies', 'mrf_keyword.replace'])
      await app.get(SettingsService).reset(path);
  });
});

describe('a direct post', () => {
  it('is for the account with the whole name only, which may end with a hyphen', async () => {
    const [named] = await app.sql<{ id: string }>(
      `update accounts set nickname = 'bob-' where nickname = 'carol' returning id`,
    );
    for (const status of ['@bob-@svc.test hi', '@bob- hi']) {
      const { mentions } = await ok(alice.post(PATH, { status, visibility: 'direct' }));
      expect(mentions.map(({ id }) => id)).toEqual([named!.id]);
    }
    const { mentions } = await ok(alice.post(PATH, { status: '@bob-- hi', visibility: 'direct' }));
    expect(mentions.map(({ acct }) => acct)).toEqual(['bob']);
  });
});

/** An entry as it is sent, without what a preview cannot know: its ids and times, and what it will count. */
function bytesOf(text: string): string {
  const unknown =
    /("(?:id|uri|url|context|conversation_id|direct_conversation_id|\w+_at|\w+_count)":)(?:"[^"]*"|null|\d+)/g;
  return text.replace(unknown, '$1?');
}

describe('the answer to a post', () => {
  it('equals its preview and a later read of the post, byte by byte', async () => {
    const parent = await post(app, 'bob', 'Muted by @alice');
    const list = await ok<{ id: string }>(alice.post('/api/v1/lists', { title: 'Tea' }));
    const media = await upload(app, 'alice');
    await ok(alice.put(`/api/v1/media/${media.id}`, { description: 'a cup' }));
    const inputs = [
      { status: 'plain' },
      { status: '**with** :blobcat: and <b>', content_type: 'text/markdown', spoiler_text: 'look', language: 'de' },
      { status: 'for followers', visibility: 'private', sensitive: true },
      { status: '@carol and @bob, #tea #Zimt #änis #cake', spoiler_text: 'tea', sensitive: true },
      { status: 'a picture', media_ids: [media.id] },
      { status: 'a reply', in_reply_to_id: parent.id },
      { status: 'a quote', quote_id: parent.id },
      { status: 'psst @bob', visibility: 'direct' },
      { status: 'for a list', visibility: `list:${list.id}` },
      { status: 'not for long', expires_in: 7_200 },
      { status: 'a poll', poll: { options: ['tea', 'milk'], expires_in: 600 } },
    ];
    for (const input of inputs) {
      const preview = await alice.post(PATH, { ...input, preview: true }).expect(200);
      const { text, body } = await alice.post(PATH, input).expect(200);
      const { id } = body as PlainStatusJson;
      await app.sql('update statuses set version = version + 1 where id = $1', [id]); // no body of it is cached
      expect((await alice.get(`${PATH}/${id}`).expect(200)).text).toBe(text);
      expect(bytesOf(preview.text)).toBe(bytesOf(text));
    }
  });

  it('says that its thread is muted', async () => {
    const parent = await post(app, 'bob', 'tea?');
    await ok(alice.post(`${PATH}/${parent.id}/mute`));
    const answer = await ok(alice.post(PATH, { status: 'a reply', in_reply_to_id: parent.id }));
    expect(answer.svc.thread_muted).toBe(true);
    expect(await ok(alice.get(`${PATH}/${answer.id}`))).toEqual(answer);
  });

  it('has no formatting for an author who wants none', async () => {
    await app.sql('update users set no_rich_text = true where account_id = $1', [app.world.id('carol')]);
    const carol = await app.world.as('carol');
    const { content } = await ok<{ content: string }>(
      carol.post(PATH, { status: '**bold**', content_type: 'text/markdown' }),
    );
    expect(content).toContain('bold');
    expect(content).not.toContain('<strong>');
  });
});

describe('the length of a text', () => {
  const FAMILY = '👨‍👩‍👧‍👦';
  const FULL = `${'x'.repeat(4_901)}${FAMILY.repeat(72)} https://x.example/${'a'.repeat(180)} @b@c.example`;

  it('counts visible characters, a link as 23 characters and a handle without its domain', async () => {
    const { id } = await ok(alice.post(PATH, { status: FULL }));
    await ok(alice.put(`${PATH}/${id}`, { status: FULL.replace('x', 'y') }));
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await ok(alice.post(PATH, { status: FULL, scheduled_at: later }));
    for (const answer of [
      await alice.post(PATH, { status: `x${FULL}` }),
      await alice.post(PATH, { status: FULL, spoiler_text: FAMILY }),
      await alice.put(`${PATH}/${id}`, { status: `x${FULL}` }),
      await alice.post(PATH, { status: `x${FULL}`, scheduled_at: later }),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { error: 'The status is over the character limit' } });
    }
  });

  it('counts the options of a poll in the same way', async () => {
    const poll = (option: string) =>
      alice.post(PATH, { status: 'tea?', poll: { options: [option, 'b'], expires_in: 600 } });
    await ok(poll(FAMILY.repeat(200)));
    expect((await poll(FAMILY.repeat(201))).status).toBe(422);
  });

  it('counts messages and profiles in the same way', async () => {
    const profile = (changes: Record<string, unknown>) => alice.patch('/api/v1/accounts/update_credentials', changes);
    const { id } = await ok<{ id: string }>(alice.post(`/api/v1/svc/chats/by-account-id/${app.world.id('bob')}`));
    const chat = (content: string) => alice.post(`/api/v1/svc/chats/${id}/messages`, { content });
    await ok(chat(FAMILY.repeat(5_000)));
    expect((await chat(FAMILY.repeat(5_001))).status).toBe(400);
    await ok(profile({ note: FULL, display_name: FAMILY.repeat(100) }));
    await ok(profile({ fields_attributes: [{ name: FAMILY.repeat(512), value: FAMILY.repeat(2_048) }] }));
    expect((await profile({ note: `x${FULL}` })).status).toBe(403);
    expect((await profile({ display_name: FAMILY.repeat(101) })).status).toBe(403);
    expect((await profile({ fields_attributes: [{ name: 'a', value: FAMILY.repeat(2_049) }] })).status).toBe(403);
  });
});

describe('the validation of a post', () => {
  it.each([
    [422, 'Cannot post an empty status without attachments', {}],
    [422, 'Cannot post an empty status without attachments', { status: '\u200b \u2060' }],
    [422, 'The status is over the character limit', { status: 'x'.repeat(5001) }],
    [422, 'The status is over the character limit', { status: 'x', spoiler_text: 'x'.repeat(100_000) }],
    [422, 'The status is over the character limit', { status: `${'x'.repeat(4_977)} https://x.de` }],
    [422, 'The status is over the character limit', { status: `a${'\u0301'.repeat(5_000)}` }],
    [422, 'Expiry date is too soon', { status: 'x', expires_in: 3600 }],
    [422, 'Expiry date is too soon', { status: 'x', expires_in: '0' }],
    [422, 'Unknown visibility: everybody', { status: 'x', visibility: 'everybody' }],
    [404, 'List not found', { status: 'x', visibility: 'list:7' }],
    [404, 'List not found', { status: 'x', visibility: 'list:x' }],
    [422, 'Unknown visibility: list', { status: 'x', visibility: 'list' }],
    [404, 'Record not found', { status: 'x', quote_id: UNKNOWN }],
    [404, 'Record not found', { status: 'x', quoted_status_id: UNKNOWN }],
    [404, 'Record not found', { status: 'x', in_reply_to_conversation_id: '1' }],
    [404, 'Record not found', { status: 'x', in_reply_to_id: UNKNOWN }],
    [400, 'status must be a text', { status: {} }],
    [400, 'spoiler_text must be a text', { status: 'x', spoiler_text: ['a'] }],
    [400, 'expires_in must be a whole number', { status: 'x', expires_in: 'soon' }],
    [400, 'in_reply_to_id must be an id', { status: 'x', in_reply_to_id: { id: 1 } }],
    [400, 'to must be a list of texts', { status: 'x', to: { a: 'b' } }],
    [400, 'media_ids must be a list of ids', { status: 'x', media_ids: { a: {} } }],
  ])('returns %i: %s', async (code, error, input) => {
    await alice.post(PATH, input).expect(code, { error });
    expect(await stored()).toBe(0);
  });

  it('refuses null characters, which the database cannot store', async () => {
    for (const field of ['status', 'spoiler_text', 'content_type', 'visibility', 'language']) {
      await alice.post(PATH, { status: 'x', [field]: 'a\0b' }).expect(400);
    }
    await alice.post(PATH, { status: 'x', to: ['a\0b'] }).expect(400);
    expect(await stored()).toBe(0);
  });

  it('refuses a text that is too long before it looks up mentions', async () => {
    const status = `@bob ${'x'.repeat(5000)}`;
    const { statements } = await countQueries(() => alice.post(PATH, { status }).expect(422));
    expect(statements).not.toContain('accounts.by_handles');
  });

  it('refuses a public reply to a direct post', async () => {
    const parent = await post(app, 'alice', '@bob between us', { visibility: 'direct' });
    const answer = { status: 'all may know', in_reply_to_id: parent.id, visibility: 'public' };
    await bob.post(PATH, answer).expect(422, { error: 'The message visibility must be direct' });
    const carol = await app.world.as('carol');
    await carol.post(PATH, { ...answer, visibility: 'direct' }).expect(404, { error: 'Record not found' });
  });

  it('refuses anonymous callers and tokens without the scope', async () => {
    await app.world.anonymous.post(PATH, { status: 'x' }).expect(401);
    await (await app.world.as('alice', 'read', 'write:media')).post(PATH, { status: 'x' }).expect(403);
    expect(await stored()).toBe(0);
  });
});

describe('a mention in a post', () => {
  it('V15 of a deactivated account is ignored until the account is reactivated', async () => {
    const deactivated = (at: string | null) =>
      app.sql('update accounts set deactivated_at = $2 where id = $1', [app.world.id('bob'), at]);
    const named = async () => (await post(app, 'alice', '@bob @carol hello')).mentions.map(({ acct }) => acct);
    await deactivated('2024-05-01');
    expect(await named()).toEqual(['carol']);
    await deactivated(null);
    expect(await named()).toEqual(['bob', 'carol']);
  });
});

describe('a long post', () => {
  it('may be as long as the highest limit that the settings allow', async () => {
    const settings = app.get(SettingsService);
    const longest = 100_000;
    await expect(settings.update([{ path: 'instance.limit', value: longest + 1 }])).rejects.toThrow('instance.limit');
    await settings.update([{ path: 'instance.limit', value: longest }]);
    const words = Array.from({ length: longest / 5 }, (_, at) => at.toString(36).padStart(4, '0'));
    expect((await post(app, 'alice', words.join(' '))).content).toContain(words.at(-1));
    await settings.reset('instance.limit');
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (client: Client, key: string, status: string) =>
    client.post(PATH, { status }).set('idempotency-key', key);

  it('executes a repeated request once per account and key', async () => {
    const first = await keyed(alice, 'k1', 'tea').expect(200);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const second = await keyed(alice, 'k1', 'tea').expect(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', 'idempotency-key': 'k1' });
    const { id } = first.body as PlainStatusJson;
    expect((await ok(keyed(alice, 'k2', 'tea'))).id).not.toBe(id);
    expect((await ok(keyed(bob, 'k1', 'tea'))).id).not.toBe(id);
    expect(await stored()).toBe(3);
  });

  it('returns the post of an earlier request, although it could not be made again', async () => {
    const parent = await post(app, 'bob', 'tea?');
    const send = () =>
      alice.post(PATH, { status: 'yes', in_reply_to_id: parent.id }).set('idempotency-key', 'k').expect(200);
    const made = (await send()).body as PlainStatusJson;
    await bob.delete(`${PATH}/${parent.id}`).expect(200);
    const again = await send();
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'idempotency-key': 'k' });
    expect(again.body).toMatchObject({ id: made.id });
    expect(await stored()).toBe(1);
  });

  it('applies separately to posts and to scheduled posts', async () => {
    const later = () =>
      alice.post(PATH, { status: 'tea', scheduled_at: '2090-01-01T00:00:00Z' }).set('idempotency-key', 'k');
    const [now, then] = [await ok(keyed(alice, 'k', 'tea')), await ok(later())];
    expect(then).toMatchObject({ scheduled_at: '2090-01-01T00:00:00.000Z' });
    for (let again = 0; again < 2; again += 1) {
      expect((await ok(keyed(alice, 'k', 'tea'))).id).toBe(now.id);
      expect((await ok(later())).id).toBe(then.id);
    }
    expect(await stored()).toBe(1);
  });

  it('creates one post from twenty concurrent requests, and all of them return it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => keyed(alice, 'k', 'tea')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => (body as PlainStatusJson).id)).size).toBe(1);
    expect(await stored()).toBe(1);
    await expectCountersToMatchRows(app);
  });

  it('can be used again after a failed request', async () => {
    await keyed(alice, 'k', '').expect(422);
    await keyed(alice, 'k', 'tea').expect(200);
  });

  it('is refused when it has more than 255 characters', async () => {
    await keyed(alice, 'k'.repeat(256), 'tea').expect(400);
    await keyed(alice, 'k'.repeat(255), 'tea').expect(200);
  });
});

describe('a preview', () => {
  it('looks like the post and stores nothing', async () => {
    const parent = await post(app, 'bob', 'tea?');
    const wanted = { status: 'yes @carol #Tea', in_reply_to_id: parent.id, spoiler_text: 'cw', language: 'en' };
    const preview = await ok(alice.post(PATH, { ...wanted, preview: true }));
    expect(checkShape(PlainStatusShape, preview)).toEqual([]);
    expect(await stored()).toBe(1);
    const posted = await ok(alice.post(PATH, wanted));
    const volatile = { id: '', uri: '', url: '', created_at: '', account: {}, svc: {} };
    expect({ ...preview, ...volatile }).toEqual({ ...posted, ...volatile });
    expect({ ...preview.svc, context: '' }).toEqual({ ...posted.svc, context: '' });
  });

  it('shows when the post will be deleted', async () => {
    const { svc } = await ok(alice.post(PATH, { status: 'tea', expires_in: 7_200, preview: true }));
    expect(Date.parse(svc.expires_at!)).toBeGreaterThan(Date.now() + 7_100_000);
  });

  it('is validated like a post', async () => {
    await alice.post(PATH, { status: '', preview: true }).expect(422);
  });
});
