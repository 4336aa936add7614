import {
  type PreviewCardJson,
  PreviewCardShape,
  PreviewCardsService,
  PlainStatusShape,
} from '../../../src/statuses/index.js';
import { UnitOfWork } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { holding, waitersOf } from '../../support/locks.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  web = await startWebHost();
});
afterEach(() => web.close());

const status = (id: string, client: Client = app.world.anonymous) => ok(client.get(`/api/v1/statuses/${id}`));
const cardOf = (id: string, client: Client = app.world.anonymous) =>
  ok<PreviewCardJson | Record<string, never>>(client.get(`/api/v1/statuses/${id}/card`));
/** Runs the jobs that are scheduled for a later time. */
async function later(): Promise<void> {
  await app.sql('update jobs set run_at = now() where run_at > now()');
  await app.drain();
}
/** The card of a post that links to the page, after all jobs have run. */
async function shownOf(html: string): Promise<PreviewCardJson | null> {
  web.page('/page', html);
  const { id } = await post(app, 'alice', `${web.origin}/page`);
  await app.drain();
  return (await status(id)).card;
}

const PAGE = `<head><title>Tea</title><meta property="og:title" content="Green &amp; black"><meta name="description" content="All
  of it"><meta property="og:site_name" content="The Tea Room"><meta property="og:image" content="/leaf.png">
  <meta property="og:image:alt" content="A leaf"><meta property="og:image:width" content="640"></head>`;

describe('the card of a post', () => {
  it('shows the metadata of the first linked page', async () => {
    web.page('/tea', PAGE);
    const { id, card } = await post(app, 'alice', `@bob #tea see ${web.origin}/tea#top and ${web.origin}/other`);
    expect(card).toBeNull();
    expect(await cardOf(id)).toEqual({});
    await app.drain();
    const shown = await status(id);
    expect(checkShape(PlainStatusShape, shown)).toEqual([]);
    expect(shown.card).toEqual({
      url: `${web.origin}/tea`,
      title: 'Green & black',
      description: 'All of it',
      type: 'link',
      author_name: '',
      author_url: '',
      authors: [],
      language: null,
      published_at: null,
      history: [],
      provider_name: 'The Tea Room',
      provider_url: web.origin,
      html: '',
      width: 640,
      height: 0,
      image: `${web.origin}/leaf.png`,
      image_description: 'A leaf',
      embed_url: '',
      blurhash: null,
      svc: {
        opengraph: {
          'og:title': 'Green & black',
          'og:site_name': 'The Tea Room',
          'og:image': `${web.origin}/leaf.png`,
          'og:image:alt': 'A leaf',
          'og:image:width': '640',
        },
      },
    });
    expect(await cardOf(id)).toEqual(shown.card);
    expect(web.asked()).toEqual(['/tea']);
  });

  it('of a boost is part of the boosted post', async () => {
    web.page('/tea', PAGE);
    const { id } = await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    const boost = await reblog(app, 'bob', id);
    expect([boost.card, boost.reblog.card?.title]).toEqual([null, 'Green & black']);
    expect(await cardOf(boost.id)).toMatchObject({ title: 'Green & black' });
  });

  it('takes the author from the oEmbed document of the page, but no markup', async () => {
    web.at('/oembed', (_, answer) => {
      answer.setHeader('content-type', 'application/json');
      const author = { author_name: 'Zoe <b>', author_url: 'javascript:alert(1)', provider_name: 'Films' };
      answer.end(JSON.stringify({ type: 'video', title: 'no', html: '<script>alert(1)</script>', ...author }));
    });
    const link = '<link rel="alternate" type="application/json+oembed" href="/oembed">';
    const card = await shownOf(`<title>A film</title>${link}`);
    expect(card).toMatchObject({ title: 'A film', author_name: 'Zoe <b>', author_url: '', provider_name: 'Films' });
    expect(card).toMatchObject({ type: 'link', html: '' });
  });

  it.each([
    ['alice', ['127.0.0.1'], true],
    ['@alice@svc.test', ['127.0.0.1', 'x.example'], true],
    ['alice@svc.test', ['0.0.1'], true],
    ['alice@svc.test', ['x.example', '27.0.0.1'], false],
    ['alice@svc.test', [], false],
    ['nobody@svc.test', ['127.0.0.1'], false],
    ['bob', ['127.0.0.1'], false],
    ['', ['127.0.0.1'], false],
  ])('names the account only if it lists the domain of the page: %s, %j', async (creator, domains, isNamed) => {
    await app.sql(
      'update accounts set attribution_domains = $2, display_name = $3, version = version + 1 where id = $1',
      [app.world.id('alice'), domains, 'Alice A.'],
    );
    const card = await shownOf(
      `<title>A</title><meta name="author" content="Ann"><meta name="fediverse:creator" content="${creator}">`,
    );
    const [author_name, author_url] = isNamed ? ['Alice A.', 'https://svc.test/users/alice'] : ['Ann', ''];
    expect(card).toMatchObject({ author_name, author_url });
  });

  it.each(['no json', '[]', '"text"', 'null'])('is made despite an invalid oEmbed document: %s', async (oembed) => {
    web.at('/oembed', (_, answer) => answer.setHeader('content-type', 'application/json').end(oembed));
    const link = '<link type="application/json+oembed" href="/oembed">';
    expect(await shownOf(`<title>A film</title>${link}`)).toMatchObject({ title: 'A film' });
  });

  it('S11 contains only plain texts of bounded length and web addresses', async () => {
    const card = await shownOf(`<title>&lt;script&gt;\u0001 ${'x'.repeat(9_999)}</title>
      <meta property="og:image" content="javascript:alert(1)"><meta property="og:url" content="javascript:alert(1)">`);
    expect(checkShape(PreviewCardShape, card)).toEqual([]);
    expect([card!.title.length, card!.title.slice(0, 11), card!.image]).toEqual([500, '<script> xx', null]);
    expect(card!.url).toBe(`${web.origin}/page`);
  });

  it.each([
    ['og:url', 'javascript:alert(1)', undefined],
    ['og:image', 'data:text/html,x', undefined],
    ['og:image:url', 'java&#10;script:alert(1)', undefined],
    ['og:video', 'file:///etc/passwd', undefined],
    ['og:video:secure_url', 'https://user:word@b.example/', undefined],
    ['og:see_also', 'mailto:a@b.example', undefined],
    ['og:url', '/tea', '/tea'],
    ['og:anything', 'javascript:alert(1)', undefined],
    ['og:locale', 'de_DE', 'de_DE'],
    ['og:anything', 'javascript:alert(1) //x', undefined],
    ['og:title', 're:Invent', 're:Invent'],
  ])('S11 contains %s only as a text or a web address: %s', async (name, content, shown) => {
    const card = await shownOf(`<title>a</title><meta property="${name}" content="${content}">`);
    const expected = shown?.startsWith('/') ? `${web.origin}${shown}` : shown;
    expect(card!.svc.opengraph[name]).toBe(expected);
  });

  it('S1 does not link a picture at an internal address', async () => {
    const card = await shownOf('<title>a</title><meta property="og:image" content="https://10.0.0.1/x.png">');
    expect(card).toMatchObject({ title: 'a', image: null });
  });

  it('decodes the page by its declared character encoding', async () => {
    const html = Buffer.from('<meta charset=iso-8859-1><title>Gr\xfcner Tee</title>', 'latin1');
    web.at('/page', (_, answer) => answer.setHeader('content-type', 'text/html').end(html));
    const { id } = await post(app, 'alice', `${web.origin}/page`);
    await app.drain();
    expect((await status(id)).card?.title).toBe('Grüner Tee');
  });

  it.each([
    ['without a title', '<p>hello</p>'],
    ['with an empty title', '<title> </title><meta property="og:title" content="">'],
  ])('is not made for a page %s', async (_, html) => {
    expect(await shownOf(html)).toBeNull();
  });

  it('is not made for a link that is not HTML, missing, too large, internal or not HTTP', async () => {
    web.at('/file', (_, answer) => answer.setHeader('content-type', 'image/png').end('<title>a</title>'));
    web.page('/large', `<title>a</title>${' '.repeat(1024 * 1024)}`);
    web.at('/moved', (_, answer) => answer.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    const links = ['/file', '/missing', '/large', '/moved'].map((path) => web.origin + path);
    for (const link of [...links, 'https://10.0.0.1/', 'https://svc.test/about', 'ftp://b.example/']) {
      const { id } = await post(app, 'alice', link);
      await app.drain();
      expect([link, (await status(id)).card, await cardOf(id)]).toEqual([link, null, {}]);
    }
  });

  it('is shown only to viewers who may see the post', async () => {
    web.page('/tea', PAGE);
    const { id } = await post(app, 'alice', `${web.origin}/tea`, { visibility: 'private' });
    await app.drain();
    expect(await cardOf(id, alice)).toMatchObject({ title: 'Green & black' });
    const unknown = await app.http.get('/api/v1/statuses/AAAAAAAAAAAAAAAAAA/card').expect(404);
    for (const client of [app.world.anonymous, await app.world.as('bob')]) {
      const answer = await client.get(`/api/v1/statuses/${id}/card`);
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    }
  });
});

describe('a linked page', () => {
  it('is fetched once for all posts that link to it', async () => {
    web.page('/tea', PAGE);
    const first = await post(app, 'alice', `${web.origin}/tea`);
    const second = await post(app, 'bob', `look: ${web.origin}/tea`);
    await app.drain();
    const third = await post(app, 'bob', `again ${web.origin}/tea`);
    await app.drain();
    for (const { id } of [first, second, third]) expect((await status(id)).card?.title).toBe('Green & black');
    expect(web.asked()).toEqual(['/tea']);
  });

  it('is not fetched again by a job that runs right after a fetch', async () => {
    web.page('/tea', PAGE);
    const { id } = await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    const [card] = await app.sql<{ id: string }>('select id from cards');
    await app.get(PreviewCardsService).fetch({ cardId: card!.id });
    expect(web.asked()).toEqual(['/tea']);
    expect((await status(id)).card?.title).toBe('Green & black');
  });

  it('that is known appears in the response to a new post that links to it', async () => {
    web.page('/tea', PAGE);
    await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    const { id, card } = await post(app, 'bob', `look: ${web.origin}/tea`);
    expect(card?.title).toBe('Green & black');
    expect(
      (await app.sql<{ name: string }>('select name from jobs where attempts = 0 and run_at <= now() order by id')).map(
        ({ name }) => name,
      ),
    ).toEqual(['feeds.fan-out', 'federation.send-created']);
    await app.drain();
    expect((await status(id)).card).toEqual(card);
    expect(web.asked()).toEqual(['/tea']);
  });

  it('without metadata causes no search for the posts that link to it', async () => {
    await post(app, 'alice', `${web.origin}/missing`);
    const { statements } = await countQueries(() => app.drain());
    expect(statements).toContain('cards.save');
    expect(statements).not.toContain('cards.show_everywhere');
  });

  it('updates only posts that show an old card, for example after an interrupted job', async () => {
    web.page('/tea', PAGE);
    const left = await post(app, 'alice', `${web.origin}/tea`);
    await post(app, 'bob', `${web.origin}/tea`);
    await app.drain();
    const again = async () => {
      const [card] = await app.sql<{ id: string }>('select id from cards');
      await app.get(PreviewCardsService).fetch({ cardId: card!.id });
      return (await app.sql<{ version: number }>('select version from statuses order by id')).map((row) => row.version);
    };
    expect(await again()).toEqual([2, 2]);

    await app.sql(`update cards set revision = revision + 1, preview = jsonb_set(preview, '{title}', '"Coffee"')`);
    await app.sql('update status_cards set revision = revision + 1 where status_id <> $1', [left.id]);
    expect(await again()).toEqual([3, 2]);
    expect((await status(left.id)).card?.title).toBe('Coffee');
    expect(await again()).toEqual([3, 2]);
  });

  it('that could not be loaded is fetched again later, for all posts that link to it', async () => {
    const first = await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    web.page('/tea', PAGE);
    await post(app, 'alice', `soon ${web.origin}/tea`);
    await app.drain();
    expect([web.asked(), (await status(first.id)).card]).toEqual([['/tea'], null]);
    await app.sql(`update cards set fetched_at = now() - interval '16 minutes'`);
    await post(app, 'alice', `later ${web.origin}/tea`);
    await app.drain();
    expect((await status(first.id)).card?.title).toBe('Green & black');
  });

  it('is fetched again after a week: a new card replaces the old one everywhere, a missing one does not', async () => {
    web.page('/tea', PAGE);
    const { id } = await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    for (const [html, title] of [
      ['<title>Coffee</title>', 'Coffee'],
      ['', 'Coffee'],
    ] as const) {
      await status(id);
      web.page('/tea', html);
      await app.sql(`update cards set fetched_at = now() - interval '8 days'`);
      await post(app, 'bob', `${web.origin}/tea ${title} ${html.length}`);
      await app.drain();
      expect((await status(id)).card?.title).toBe(title);
    }
  });

  it('adds its card to all posts that link to it, even hundreds', async () => {
    web.page('/tea', PAGE);
    const ids = await makeStatuses(app, 'alice', 401);
    const [card] = await app.sql<{ id: string }>('insert into cards (url) values ($1) returning id', [
      `${web.origin}/tea`,
    ]);
    await app.sql('insert into status_cards select unnest($1::text[]), $2', [ids, card!.id]);
    await app.get(PreviewCardsService).fetch({ cardId: card!.id });
    const shown = await app.sql('select from statuses where flags & 4 <> 0 and version = 2');
    expect(shown).toHaveLength(ids.length);
  });

  it('S9 is fetched with a delay for remote posts', async () => {
    web.page('/tea', PAGE);
    const { id } = await post(app, 'alice', `${web.origin}/tea`);
    for (const table of ['jobs', 'status_cards', 'cards']) await app.sql(`delete from ${table}`);
    await app.get(PreviewCardsService).attach({ statusId: id, local: false });
    await app.drain();
    expect(web.asked()).toEqual([]);
    await later();
    expect(web.asked()).toEqual(['/tea']);
    expect((await status(id)).card?.title).toBe('Green & black');
  });

  it('loses its stored card a day after the last post with the card is deleted', async () => {
    web.page('/tea', PAGE);
    const { id } = await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    const count = async () => {
      await app.get(PreviewCardsService).purge();
      return (await app.sql('select from cards')).length;
    };
    await app.sql(`update cards set fetched_at = now() - interval '2 days'`);
    expect(await count()).toBe(1);
    await alice.delete(`/api/v1/statuses/${id}`).expect(200);
    await app.sql('update cards set fetched_at = now()');
    expect(await count()).toBe(1);
    await app.sql(`update cards set fetched_at = now() - interval '2 days'`);
    expect(await count()).toBe(0);
  });
});

describe('an edit', () => {
  it('replaces or removes the card when the link changes', async () => {
    web.page('/tea', PAGE);
    web.page('/coffee', '<title>Coffee</title>');
    const { id } = await post(app, 'alice', `${web.origin}/tea`);
    await app.drain();
    const edited = async (text: string) => {
      await alice.put(`/api/v1/statuses/${id}`, { status: text }).expect(200);
      await app.drain();
      return (await status(id)).card?.title;
    };
    expect(await edited(`${web.origin}/coffee`)).toBe('Coffee');
    expect(await edited(`still ${web.origin}/coffee`)).toBe('Coffee');
    expect(await edited('nothing')).toBeUndefined();
    expect(await cardOf(id)).toEqual({});
    expect(await edited(`${web.origin}/missing`)).toBeUndefined();
    expect(web.asked()).toEqual(['/tea', '/coffee', '/missing']);
  });
});

describe('two posts with the same link', () => {
  const page = () => `${web.origin}/page`;
  /** Attaches the card of the page to a new post, in a unit of work that stays open until `work` is done. */
  async function attaching(work: () => Promise<unknown>): Promise<string> {
    const { id } = await post(app, 'bob', 'the same link, too');
    await app.get(UnitOfWork).run(async () => {
      await app.get(PreviewCardsService).attachNew(id, page());
      await app.get(UnitOfWork).outside(work);
    });
    return id;
  }

  it('do not wait for each other once the page is known', async () => {
    await shownOf(PAGE);
    await attaching(async () => {
      expect((await post(app, 'alice', page())).card).toMatchObject({ title: 'Green & black' });
    });
    expect(await app.sql('select from status_cards')).toHaveLength(3);
  });

  it('both show the card that is fetched while one of them is being written', async () => {
    await shownOf(PAGE);
    const [card] = await app.sql<{ id: string }>(
      `update cards set fetched_at = now() - interval '8 days' returning id`,
    );
    web.page('/page', PAGE.replace('Green &amp; black', 'White'));
    let reading: Promise<void> = Promise.resolve();
    const id = await attaching(async () => {
      reading = app.get(PreviewCardsService).fetch({ cardId: card!.id });
      await holding(app, (other) => waitersOf(other, 1));
    });
    await reading;
    expect((await status(id)).card).toMatchObject({ title: 'White' });
  });
});
