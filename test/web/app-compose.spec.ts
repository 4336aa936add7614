import { SettingsService } from '../../src/config/index.js';
import type { ScheduledStatusJson, StatusSourceJson } from '../../src/statuses/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { picture } from '../support/fixtures/media-files.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import { postsOn } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});

const alice = () => app.world.as('alice');
const status = async (id: string) => ok((await alice()).get(`/api/v1/statuses/${id}`));
const own = async () => ok<{ id: string }[]>((await alice()).get(`/api/v1/accounts/${app.world.id('alice')}/statuses`));
const scheduled = async () => ok<ScheduledStatusJson[]>((await alice()).get('/api/v1/scheduled_statuses'));
const inApp = (id: string) => `/app/posts/${id}`;
/** The post that an answer leads to. */
const posted = ({ headers }: { headers: Record<string, string> }) =>
  /^\/app\/posts\/(\w+)$/.exec(headers['location'] ?? '')?.[1] ?? '';
const textIn = (page: string) => /<textarea id="text"[^>]*>\n([^<]*)/.exec(page)?.[1];
const chosenIn = (page: string, name: string) =>
  new RegExp(`<select id="${name}"[^]*?<option value="([^"]*)" selected`).exec(page)?.[1];
const poll = { 'poll[options][0]': 'yes', 'poll[options][1]': 'no', 'poll[expires_in]': '3600' };
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);

describe('the form of a post', () => {
  it('creates the typed post, and redirects to it', async () => {
    await visit.get('/app/compose');
    const id = posted(
      await visit.submit({
        text: 'one\r\n**two**',
        spoiler_text: 'numbers',
        visibility: 'unlisted',
        language: 'fr',
        content_type: 'text/markdown',
        quote_approval_policy: 'nobody',
        ...poll,
        'poll[multiple]': '1',
      }),
    );
    expect(await status(id)).toMatchObject({
      content: expect.stringContaining('<strong>two</strong>') as never,
      spoiler_text: 'numbers',
      visibility: 'unlisted',
      language: 'fr',
      poll: { multiple: true, options: [{ title: 'yes' }, { title: 'no' }] },
      quote_approval: { automatic: [] },
    });
    const source = await ok<StatusSourceJson>((await alice()).get(`/api/v1/statuses/${id}/source`));
    expect(source).toMatchObject({ text: 'one\n**two**', content_type: 'text/markdown' });
  });

  it('begins with the defaults of the account', async () => {
    const defaults = { privacy: 'private', language: 'de', sensitive: true };
    await ok((await alice()).patch('/api/v1/accounts/update_credentials', { source: defaults }));
    const { text } = await visit.get('/app/compose');
    expect([chosenIn(text, 'visibility'), chosenIn(text, 'language')]).toEqual(['private', 'de']);
    expect(text).toMatch(/name="sensitive"\s+value="1"\s+checked/);
  });

  it('posts once when it is sent twice, and again when the text has changed', async () => {
    await visit.get('/app/compose');
    const { fields } = visit;
    const send = async (text: string) => posted(await visit.post('/app/compose', { ...fields, text }));
    const first = await send('hello');
    expect(await send('hello')).toBe(first);
    expect(await send('good bye')).not.toBe(first);
    expect(await own()).toHaveLength(2);
  });

  it('keeps everything after an error, also the files', async () => {
    await visit.get('/app/compose');
    const key = visit.field('key');
    const typed = { ...visit.fields, text: 'a & b', visibility: 'private', description_1: 'a tree', ...poll };
    const late = { scheduled_at: '2020-01-01T10:00', zone: '60' };
    const file = await picture();
    const failed = await visit.postFiles('/app/compose', { ...typed, ...late }, { file_1: file });
    expect(failed.status).toBe(422);
    expect(failed.text).toContain('role="alert"');
    expect([textIn(failed.text), chosenIn(failed.text, 'visibility')]).toEqual(['a &amp; b', 'private']);
    for (const kept of ['value="2020-01-01T10:00"', 'value="yes"', 'value="no"', '>\na tree</textarea>'])
      expect(failed.text).toContain(kept);
    expect(visit.fields).toMatchObject({ zone: '60', key });
    const again = { text: 'a & b', visibility: 'private', 'media[0][description]': 'an oak' };
    const { media_attachments: files } = await status(posted(await visit.submit({ ...again, scheduled_at: '' })));
    expect(files).toMatchObject([{ type: 'image', description: 'an oak' }]);
  });

  it('keeps the accepted files when another one is refused, and removes the ticked ones', async () => {
    await visit.get('/app/compose');
    const files = { file_1: Buffer.from('no picture'), file_2: await picture() };
    const failed = await visit.postFiles('/app/compose', { ...visit.fields, text: 'hello' }, files);
    expect([failed.status, visit.field('media[0][id]'), visit.field('media[1][id]')]).toEqual([
      422,
      expect.stringMatching(/^\d+$/),
      undefined,
    ]);
    const id = posted(await visit.submit({ text: 'hello', 'media[0][leave_out]': '1' }));
    expect((await status(id)).media_attachments).toEqual([]);
  });

  it('refuses files of other accounts', async () => {
    const { id } = await upload(app, 'bob');
    await visit.get('/app/compose');
    const stolen = await visit.submit({ text: 'mine', 'media[0][id]': id, 'media[0][description]': 'mine' });
    expect(stolen.status).toBe(422);
    expect(stolen.text).not.toContain('media[0][id]');
    const bobs = (await app.world.as('bob')).get(`/api/v1/media/${id}`);
    expect(await ok<object>(bobs)).toMatchObject({ description: null });
  });

  it('shows a preview, and stores no post', async () => {
    await visit.get('/app/compose');
    const preview = await visit.submit({ text: '**bold**', content_type: 'text/markdown', action: 'preview' });
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('<strong>bold</strong>');
    expect(textIn(preview.text)).toBe('**bold**');
    expect(postsOn(preview)).toEqual(['#text']);
    expect(await own()).toEqual([]);
  });

  it.each([
    ['86400', {}],
    ['21600', { max_expiration: 30_000 }],
    ['259200', { min_expiration: 100_000 }],
    ['20', { max_expiration: 20 }],
  ])('offers the duration of a poll within the limits that is nearest to a day: %s', async (chosen, limits) => {
    const value = { max_options: 4, max_option_chars: 50, min_expiration: 0, max_expiration: 31_536_000, ...limits };
    await app.get(SettingsService).update([{ path: 'instance.poll_limits', value }]);
    const { text } = await visit.get('/app/compose');
    await app.get(SettingsService).reset('instance.poll_limits');
    expect(chosenIn(text, 'poll\\[expires_in\\]')).toBe(chosen);
  });

  it('offers more options for a poll', async () => {
    await visit.get('/app/compose');
    const more = await visit.submit({ ...poll, action: 'options' });
    expect(more.text.match(/name="poll\[options\]\[\]"/g)).toHaveLength(6);
    expect(more.text).toContain('value="yes"');
    expect(await own()).toEqual([]);
  });

  it('addresses the account that a link names', async () => {
    const { text } = await visit.get('/app/compose?to=bob&text=hello');
    expect([textIn(text), chosenIn(text, 'visibility')]).toEqual(['@bob hello', 'direct']);
  });
});

describe('a reply', () => {
  it('begins with the mentions of the post, and is not visible to more accounts', async () => {
    await app.world.follow('alice', 'bob');
    const { id } = await post(app, 'bob', 'dear @alice and @carol', { visibility: 'private', spoiler_text: 'news' });
    const { text } = await visit.get(`/app/compose?in_reply_to_id=${id}&visibility=public`);
    expect([textIn(text), chosenIn(text, 'visibility')]).toEqual(['@bob @carol ', 'private']);
    expect(postsOn({ text, headers: {} })).toEqual([inApp(id)]);
    expect(text).toMatch(/name="spoiler_text"\s+value="news"/);
    const answer = posted(await visit.submit({ text: '@bob thanks', visibility: 'private' }));
    expect(await status(answer)).toMatchObject({ in_reply_to_id: id, visibility: 'private' });
  });

  it('returns 404 for a post that the viewer may not see', async () => {
    const { id } = await post(app, 'bob', 'secret', { visibility: 'private' });
    for (const query of [`in_reply_to_id=${id}`, `quote_id=${id}`, 'in_reply_to_id=nothing'])
      expect([query, (await visit.get(`/app/compose?${query}`)).status]).toEqual([query, 404]);
    await visit.get('/app/compose');
    const forged = await visit.submit({ text: 'hello', in_reply_to_id: id });
    expect([forged.status, forged.text.includes('secret')]).toEqual([404, false]);
  });
});

it('a quote shows and quotes the post', async () => {
  const { id } = await post(app, 'bob', 'quote me');
  const { text } = await visit.get(`/app/compose?quote_id=${id}`);
  expect(postsOn({ text, headers: {} })).toEqual([inApp(id)]);
  expect(await status(posted(await visit.submit({ text: 'look' })))).toMatchObject({ quote_id: id });
});

describe('the box at home', () => {
  it('posts with the defaults of the account, or opens the form with all fields', async () => {
    await ok((await alice()).patch('/api/v1/accounts/update_credentials', { source: { sensitive: true } }));
    await visit.get('/app/home');
    const { fields } = visit;
    const full = await visit.submit({ text: 'hello', spoiler_text: 'hi', visibility: 'direct', action: 'more' });
    expect([full.status, textIn(full.text), chosenIn(full.text, 'visibility')]).toEqual([200, 'hello', 'direct']);
    const answer = await visit.post('/app/compose', { ...fields, text: 'hello', visibility: 'local' });
    expect(await status(posted(answer))).toMatchObject({ visibility: 'local', sensitive: true });
  });
});

describe('the form of an edit', () => {
  it('has the source of the post, and keeps its poll with the votes', async () => {
    const file = await upload(app, 'alice');
    const written = { content_type: 'text/markdown', spoiler_text: 'fruit', language: 'nds', media_ids: [file.id] };
    const { id } = await post(app, 'alice', '**old**', { ...written, poll: { options: ['a', 'b'], expires_in: 600 } });
    const { poll: before } = await status(id);
    await ok((await app.world.as('bob')).post(`/api/v1/polls/${before!.id}/votes`, { choices: [0] }));
    const { text } = await visit.get(`${inApp(id)}/edit`);
    expect([textIn(text), chosenIn(text, 'language'), chosenIn(text, 'content_type')]).toEqual([
      '**old**',
      'nds',
      'text/markdown',
    ]);
    const kept = { spoiler_text: 'fruit', language: 'nds', content_type: 'text/markdown' };
    const changes = { text: '**new**', 'media[0][description]': 'a pear', poll_change: 'keep', ...poll };
    expect(posted(await visit.submit({ ...kept, ...changes }))).toBe(id);
    expect(await status(id)).toMatchObject({
      content: expect.stringContaining('<strong>new</strong>') as never,
      spoiler_text: 'fruit',
      language: 'nds',
      media_attachments: [{ id: file.id, description: 'a pear' }],
      poll: { id: before!.id, votes_count: 1, options: [{ title: 'a' }, { title: 'b' }] },
    });
    await visit.get(`${inApp(id)}/edit`);
    await visit.submit({ ...kept, text: '**new**', poll_change: 'remove' });
    expect((await status(id)).poll).toBeNull();
  });

  it('offers the format of the post, also where it is no longer allowed', async () => {
    const { id } = await post(app, 'alice', '**old**', { content_type: 'text/markdown' });
    await app.get(SettingsService).update([{ path: 'instance.allowed_post_formats', value: ['text/plain'] }]);
    const { text } = await visit.get(`${inApp(id)}/edit`);
    expect(chosenIn(text, 'content_type')).toBe('text/markdown');
    await visit.submit({ text: '**new**', content_type: 'text/markdown' });
    expect((await status(id)).content).toContain('<strong>new</strong>');
    await app.get(SettingsService).reset('instance.allowed_post_formats');
  });

  it('keeps the typed text after an error', async () => {
    const { id } = await post(app, 'alice', 'old');
    await visit.get(`${inApp(id)}/edit`);
    const failed = await visit.submit({ text: 'x'.repeat(5_001) });
    expect([failed.status, textIn(failed.text)]).toEqual([422, 'x'.repeat(5_001)]);
    expect((await status(id)).content).toContain('old');
  });
});

describe('posts of other accounts and boosts', () => {
  it('are neither edited nor deleted', async () => {
    const { id } = await post(app, 'bob', 'of bob');
    const { id: boost } = await ok((await alice()).post(`/api/v1/statuses/${id}/reblog`));
    await visit.get('/app/home');
    const csrf = { _csrf: visit.field('_csrf')! };
    for (const each of [id, boost]) {
      for (const path of [`${inApp(each)}/edit`, `${inApp(each)}/delete`])
        expect([path, (await visit.get(path)).status]).toEqual([path, 404]);
      for (const [page, fields] of [
        ['edit', { text: 'mine' }],
        ['delete', { action: 'redraft' }],
        ['delete', { action: 'delete' }],
      ] as const)
        expect([page, (await visit.post(`${inApp(each)}/${page}`, { ...csrf, ...fields })).status]).toEqual([
          page,
          404,
        ]);
    }
    expect((await status(id)).content).toContain('of bob');
    expect(await status(boost)).toMatchObject({ reblog: { id } });
  });
});

describe('the page that deletes', () => {
  it('deletes the post, and redirects home', async () => {
    const { id } = await post(app, 'alice', 'old');
    expect(postsOn(await visit.get(`${inApp(id)}/delete`))).toEqual([inApp(id)]);
    const deleted = await visit.submit({ action: 'delete' });
    expect([deleted.status, deleted.headers['location']]).toEqual([303, '/app/home']);
    await (await alice()).get(`/api/v1/statuses/${id}`).expect(404);
  });

  it('redirects to a form with everything that the post had', async () => {
    const parent = await post(app, 'bob', 'parent');
    const file = await upload(app, 'alice');
    const { id } = await post(app, 'alice', '[b]old[/b]', {
      content_type: 'text/bbcode',
      spoiler_text: 'fruit',
      visibility: 'unlisted',
      language: 'fr',
      expires_in: 40 * 3_600,
      quote_approval_policy: 'followers',
      media_ids: [file.id],
      poll: { options: ['a', 'b'], expires_in: 3_600, hide_totals: true },
      in_reply_to_id: parent.id,
    });
    await visit.get(`${inApp(id)}/delete`);
    const { text } = await visit.submit({ action: 'redraft' });
    await (await alice()).get(`/api/v1/statuses/${id}`).expect(404);
    const expected = {
      visibility: 'unlisted',
      language: 'fr',
      content_type: 'text/bbcode',
      'poll[expires_in]': '3600',
      expires_in: String(40 * 3_600),
      quote_approval_policy: 'followers',
    };
    for (const [name, value] of Object.entries(expected))
      expect([name, chosenIn(text, name.replace(/[[\]]/g, '\\$&'))]).toEqual([name, value]);
    expect(textIn(text)).toBe('[b]old[/b]');
    for (const kept of [/name="spoiler_text"\s+value="fruit"/, /name="poll\[hide_totals\]"\s+value="1"\s+checked/])
      expect(text).toMatch(kept);
    const again = { text: 'new', 'poll[options][0]': 'a', 'poll[options][1]': 'b', 'poll[expires_in]': '3600' };
    expect(await status(posted(await visit.submit(again)))).toMatchObject({
      in_reply_to_id: parent.id,
      media_attachments: [{ id: file.id }],
      poll: { options: [{ title: 'a' }, { title: 'b' }] },
    });
  });

  it('redirects to a form that hides the counts of the poll, also where it has ended; so does the form of an edit', async () => {
    const { id } = await post(app, 'alice', 'soon', {
      poll: { options: ['a', 'b'], expires_in: 300, hide_totals: true },
    });
    await app.sql(`update polls set expires_at = now() where status_id = $1`, [id]);
    const ticked = /name="poll\[hide_totals\]"\s+value="1"\s+checked/;
    expect((await visit.get(`${inApp(id)}/edit`)).text).toMatch(ticked);
    await visit.get(`${inApp(id)}/delete`);
    expect((await visit.submit({ action: 'redraft' })).text).toMatch(ticked);
  });

  it('redirects to a form that lives as shortly as a post may, and leaves the quotes of a post for few open', async () => {
    const { id } = await post(app, 'alice', 'soon', { visibility: 'private', expires_in: 3_700 });
    await app.sql(`update statuses set expires_at = now() + interval '1 minute'`);
    await visit.get(`${inApp(id)}/delete`);
    const { text } = await visit.submit({ action: 'redraft' });
    expect([chosenIn(text, 'expires_in'), chosenIn(text, 'quote_approval_policy')]).toEqual(['7200', '']);
  });
});

describe('scheduled posts', () => {
  const schedule = async (text: string, zone = '0') => {
    await visit.get('/app/compose');
    const { headers } = await visit.submit({ text, scheduled_at: tomorrow(), zone });
    expect(headers['location']).toBe('/app/scheduled');
    return (await scheduled())[0]!;
  };

  it('are scheduled in the zone of the form, and listed with their time', async () => {
    const at = tomorrow();
    const { scheduled_at: time } = await schedule('later', '120');
    expect(Date.parse(time)).toBe(Date.parse(`${at}Z`) - 7_200_000);
    const { text } = await visit.get('/app/scheduled');
    expect(text).toContain('later');
    expect(text).toContain(`value="${time.slice(0, 16)}"`);
    expect(await own()).toEqual([]);
  });

  it('are moved and deleted by their author only', async () => {
    const { id, scheduled_at: time } = await schedule('later');
    const path = `/app/scheduled/${id}`;
    await visit.get('/app/scheduled');
    const early = await visit.submit({ scheduled_at: '2020-01-01T10:00' });
    expect([early.status, early.text.includes('value="2020-01-01T10:00"')]).toEqual([422, true]);
    const moved = await visit.submit({ scheduled_at: `${time.slice(0, 11)}23:59` });
    expect([moved.status, (await scheduled())[0]?.scheduled_at]).toEqual([303, `${time.slice(0, 11)}23:59:00.000Z`]);

    const other = await new BrowserVisit(app).signIn('bob');
    await other.get('/app/scheduled');
    const token = { _csrf: other.field('_csrf')!, scheduled_at: tomorrow() };
    for (const foreign of [path, `${path}/delete`])
      expect([foreign, (await other.post(foreign, token)).status]).toEqual([foreign, 404]);

    await visit.get('/app/scheduled');
    await visit.press(`${path}/delete`);
    expect(await scheduled()).toEqual([]);
  });
});
