import { type PlainStatusJson, BatchStatusView, type StatusJson } from '../../../src/statuses/index.js';
import { type Body, StatusBodyCache } from '../../../src/statuses/rendering/status-body.cache.js';
import { useApp } from '../../support/servers/app.js';
import { addEmoji } from '../../support/fixtures/emoji.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const SOURCE = '<i>Tea</i><blockquote>so <b>very</b> <a href="https://b.example/x">good</a></blockquote>';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
  await app.world.follow('alice', 'carol');
  await app.world.follow('bob', 'carol');
});

const want = (no_rich_text: boolean) => ok(alice.patch('/api/v1/accounts/update_credentials', { no_rich_text }));
const rich = () => post(app, 'carol', SOURCE, { content_type: 'text/html' });
const isRich = ({ content }: StatusJson) => content.includes('<blockquote>') && content.includes('<b>very</b>');
const isPlain = ({ content }: StatusJson) => /^<p>Tea<\/p><p>so very <a [^>]*>good<\/a><\/p>$/.test(content);

describe('no_rich_text', () => {
  it('shows the owner cached posts without formatting until it is off again', async () => {
    const { id } = await rich();
    const read = (client: Client) => ok<StatusJson>(client.get(`/api/v1/statuses/${id}`));
    expect(isRich(await read(alice))).toBe(true);
    await want(true);
    const shown = await read(alice);
    expect(isPlain(shown)).toBe(true);
    expect(await read(alice)).toEqual(shown);
    const other = await read(bob);
    expect(isRich(other)).toBe(true);
    expect({ ...shown, content: '' }).toEqual({ ...other, content: '' });
    await want(false);
    expect(isRich(await read(alice))).toBe(true);
  });

  it('shows current posts even when custom emoji change during a read', async () => {
    const bodies = app.get(StatusBodyCache);
    const rest = { own: '', service: '', readable: '', isLocal: true, hasQuoteLink: false };
    const put = (emoji: string) =>
      bodies.put('a post', 1, { ...rest, shared: `"content":"<b>:tea:</b>","emojis":[${emoji}]` });
    const plainOf = (body: Body) => bodies.variant('a post', 1, body, { plain: true, withoutQuoteLink: false }).shared;
    const read = put('');
    await addEmoji(app, 'tea');
    expect(plainOf(read).toString()).toBe('"content":":tea:","emojis":[]');
    const plain = plainOf(put('"tea"'));
    expect(plain.toString()).toBe('"content":":tea:","emojis":["tea"]');
    expect(plainOf(put('"tea"')).buffer).toBe(plain.buffer);
  });

  it('applies to timelines, boosts and quotes', async () => {
    const { id } = await rich();
    await post(app, 'carol', 'look', { quote_id: id });
    await reblog(app, 'bob', id);
    await want(true);
    await app.drain();
    const home = async (client: Client) => ok<StatusJson[]>(client.get('/api/v1/timelines/home'));
    const [quoting, posted] = await home(alice);
    const { quote } = (quoting as PlainStatusJson).svc;
    expect([isPlain(posted!), isPlain(quote as StatusJson)]).toEqual([true, true]);
    const [boost] = await ok<StatusJson[]>(alice.get(`/api/v1/accounts/bob/statuses`));
    expect([isPlain(boost!), isPlain(boost!.reblog as StatusJson)]).toEqual([true, true]);
    const [, other] = await home(bob);
    expect(isRich(other!)).toBe(true);
  });

  it('applies to earlier versions of a post', async () => {
    const { id } = await rich();
    await ok((await app.world.as('carol')).put(`/api/v1/statuses/${id}`, { status: `${SOURCE}!` }));
    await want(true);
    const history = (client: Client) => ok<StatusJson[]>(client.get(`/api/v1/statuses/${id}/history`));
    const [before, now] = await history(alice);
    expect(isPlain(before!)).toBe(true);
    expect(now!.content).toBe(`${before!.content}<p>!</p>`);
    expect((await history(bob)).map(({ content }) => content.includes('<b>very</b>'))).toEqual([true, true]);
    expect((await history(app.world.anonymous)).map(({ content }) => content.includes('<b>very</b>'))).toEqual([
      true,
      true,
    ]);
  });

  it('applies to previews of a post', async () => {
    const look = (client: Client) =>
      ok<StatusJson>(client.post('/api/v1/statuses', { status: SOURCE, content_type: 'text/html', preview: true }));
    await want(true);
    expect(isPlain(await look(alice))).toBe(true);
    expect(isRich(await look(bob))).toBe(true);
  });

  it('applies to pushes to several accounts at once', async () => {
    const { id } = await rich();
    await want(true);
    const viewers = ['alice', 'bob', 'carol'].map((name) => ({ id, viewerId: app.world.id(name) }));
    const entries = await app.get(BatchStatusView).many(viewers);
    const [forAlice, ...forOthers] = entries.map((entry) => entry!.json.parse() as StatusJson);
    expect(isPlain(forAlice!)).toBe(true);
    expect(forOthers.map(isRich)).toEqual([true, true]);
  });
});
