import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const LINK_TYPES = 'rel="nofollow noopener ugc"';

/** What is shown of posts whose texts are written, named or typed in other ways than here. */
describe('A text of another server', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let reader: Client;
  let mo: RawActor;
  let names = 0;

  beforeAll(async () => {
    reader = await app.world.as('ada');
    mo = peer.actor('mo', newKey());
  });

  /** What the API shows of a post. `ID` stands for its address. */
  async function shown(object: Json): Promise<Json | undefined> {
    const id = `${mo.uri}/notes/${(names += 1)}`;
    const note = { id, type: 'Note', attributedTo: mo.uri, to: [PUBLIC], cc: [`${app.env.baseUrl}/users/ada`] };
    await sendTo(app, mo, { id: `${id}#create`, type: 'Create', object: { ...note, ...object } });
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [id]);
    if (!row) return undefined;
    const { body } = await reader.get(`/api/v1/statuses/${row.id}`).expect(200);
    const { content, spoiler_text: warning, sensitive, language, poll, media_attachments: files, tags } = body as Json;
    const descriptions = (files as { description: string }[]).map(({ description }) => description);
    const hashtags = (tags as { name: string }[]).map(({ name }) => name);
    const options = (poll as { options: { title: string }[] } | null)?.options.map(({ title }) => title);
    return {
      content: (content as string).replaceAll(id, 'ID'),
      warning,
      sensitive,
      language,
      descriptions,
      options,
      tags: hashtags,
    };
  }
  const titled = (title: string) => `<p><a href="ID" ${LINK_TYPES}>${title}</a></p>`;
  const value = (text: string, language?: string) => ({ '@value': text, ...(language && { '@language': language }) });
  const image = { type: 'Image', mediaType: 'image/png', url: 'https://x.example/a.png' };

  it.each<[string, Json, Json | undefined]>([
    ['in a list', { content: ['<p>a</p>', '<p>b</p>'] }, { content: '<p>a</p>', language: null }],
    ['as a value', { content: value('a') }, { content: 'a', language: null }],
    [
      'as values with languages',
      { content: [value('eins', 'de'), value('one', 'en')] },
      { content: 'eins', language: 'de' },
    ],
    ['in a map', { contentMap: { de: 'eins', en: 'one' } }, { content: 'eins', language: 'de' }],
    ['in a map beside nothing', { content: '', contentMap: { de: 'eins' } }, { content: 'eins', language: 'de' }],
    ['of no known language', { contentMap: { und: 'a' } }, { content: 'a', language: null }],
    [
      'that its map has too',
      { content: 'one', contentMap: { de: 'eins', en: 'one' } },
      { content: 'one', language: 'en' },
    ],
    [
      'that its map writes differently',
      { content: 'one', contentMap: { en: '<p>one</p>' } },
      { content: 'one', language: 'en' },
    ],
    [
      'with the language of its title',
      { type: 'Page', content: 'a', name: 'T', nameMap: { en: 'T' } },
      { language: 'en' },
    ],
    ['with the language of its warning', { content: 'a', summary: 'w', summaryMap: { en: 'w' } }, { language: 'en' }],
    ['with a language', { content: 'a', language: { identifier: 'fr', name: 'French' } }, { language: 'fr' }],
    ['with a warning in a map', { content: 'a', summaryMap: { en: 'w' } }, { warning: 'w' }],
    ['with a warning as a value', { content: 'a', summary: value('w') }, { warning: 'w' }],
    ['with a title in a map', { type: 'Page', content: 'a', nameMap: { en: 'T' } }, { content: `${titled('T')}a` }],
    ['that is sensitive in words', { content: 'a', sensitive: 'true' }, { sensitive: true }],
    ['that is not sensitive in words', { content: 'a', sensitive: 'false' }, { sensitive: false }],
    [
      'whose excerpt is a warning in words',
      { type: 'Article', summary: 'w', content: 'a', sensitive: 'true' },
      { warning: 'w' },
    ],
    ['of several types', { type: ['Note', 'https://x.example/Post'], content: 'a' }, { content: 'a' }],
    ['of an own type first', { type: ['https://x.example/Post', 'Note'], content: 'a' }, { content: 'a' }],
    ['of an own name first', { type: ['Review', 'Article'], name: 'T', content: 'a' }, { content: `${titled('T')}a` }],
    ['of a type with a namespace', { type: 'as:Note', content: 'a' }, { content: 'a' }],
    ['of unknown types', { type: ['Review', 'Ticket'], content: 'a' }, undefined],
    [
      'with a title, from Discourse',
      { name: 'A <good> pot', content: '<p>a</p>' },
      { content: `${titled('A &lt;good&gt; pot')}<p>a</p>` },
    ],
    ['of a title', { name: 'T' }, { content: titled('T') }],
    [
      'that begins with its title',
      { name: 'A & B', content: '<h1>A &amp; B</h1><p>c</p>' },
      { content: '<p><strong>A &amp; B</strong></p><p>c</p>' },
    ],
    [
      'that asks in its title',
      { type: 'Question', name: 'Tea?', oneOf: [{ name: 'yes' }, { nameMap: { en: 'no' } }] },
      { content: titled('Tea?'), options: ['yes', 'no'] },
    ],
    [
      'with files',
      {
        content: 'a',
        attachment: [
          { ...image, name: 'old', summary: 'new' },
          { ...image, summary: 's' },
          { ...image, name: 'n' },
          { ...image, nameMap: { en: 'm' } },
          { ...image, summary: '', name: 'n' },
        ],
      },
      { descriptions: ['new', 's', 'n', 'm', 'n'] },
    ],
    [
      'with points in its hashtags',
      { content: 'a', tag: ['#Paral·lel', '#日本・東京', '#tea·'].map((name) => ({ type: 'Hashtag', name })) },
      { tags: ['paral·lel', '日本・東京'] },
    ],
    [
      'with links of other schemes',
      { content: '<a href="xmpp:tea@chat.example?join">a</a> <a href="magnet:?xt=urn:btih:x&amp;dn=y">b</a>' },
      {
        content: `<a href="xmpp:tea@chat.example?join" ${LINK_TYPES}>a</a> <a href="magnet:?xt=urn:btih:x&amp;dn=y" ${LINK_TYPES}>b</a>`,
      },
    ],
    [
      'of a picture with a warning',
      { ...image, url: 'https://x.example/a.png', name: 'T', summary: 'w', sensitive: true },
      { warning: 'w', descriptions: ['T'] },
    ],
    [
      'of an event',
      {
        type: 'Event',
        name: 'T',
        content: '<p>a</p>',
        startTime: '2030-05-01T18:00:00.000Z',
        endTime: '2030-05-01T20:30:00+02:00',
        location: {
          type: 'Place',
          name: 'The <Pot>',
          address: { type: 'PostalAddress', streetAddress: 'Street 1', addressLocality: 'Town', addressCountry: 'NL' },
        },
      },
      {
        content: `${titled('T')}<p>2030-05-01 18:00 UTC – 2030-05-01 20:30 UTC+02:00<br>The &lt;Pot&gt;, Street 1, Town, NL</p><p>a</p>`,
      },
    ],
    [
      'of an event on the web',
      {
        type: 'Event',
        name: 'T',
        startTime: 'soon',
        location: [
          { type: 'VirtualLocation', url: 'https://x.example/room' },
          { name: 'Hall', address: 'Street 2' },
        ],
      },
      { content: `${titled('T')}<p>https://x.example/room<br>Hall, Street 2</p>` },
    ],
    [
      'of an event that says nothing',
      { type: 'Event', name: 'T', location: [null, 5, {}], startTime: {} },
      { content: titled('T') },
    ],
  ])('%s is stored and shown, or refused', async (_what, object, expected) => {
    const post = await shown(object);
    if (expected === undefined) expect(post).toBeUndefined();
    else expect(post).toMatchObject(expected);
  });

  it.each<[string, Json]>([
    ['with a title', { name: 'T' }],
    ['without a title', {}],
    ['in Markdown', { name: 'T', mediaType: 'text/markdown' }],
  ])('F22 above the limit %s shows its beginning and a link when it is an article', async (_what, changes) => {
    const content = `<p>begin</p>${'<p>tea</p>'.repeat(11_000)}<p>end</p>`;
    const post = await shown({ type: 'Article', content, ...changes });
    expect(post).toMatchObject({ content: expect.stringMatching(/begin.*tea/s) as string });
    expect(post?.['content']).not.toContain('end');
    expect((post?.['content'] as string).endsWith(titled('ID'))).toBe(true);
    expect((post?.['content'] as string).startsWith(titled('T'))).toBe('name' in changes);
    expect(await shown({ content, ...changes, type: 'Note' })).toBeUndefined();
  });

  it('is read from maps too as the name, note or field of an account', async () => {
    const un = peer.actor('un', mo.key, {
      name: undefined,
      nameMap: { en: 'Una' },
      summaryMap: { en: '<h2>Setup</h2>Run it.' },
      manuallyApprovesFollowers: 'true',
      attachment: [{ type: ['PropertyValue', 'https://x.example/Field'], nameMap: { en: 'tea' }, value: 'green' }],
    });
    const { body } = await reader.get('/api/v2/search', { q: un.uri, resolve: true }).expect(200);
    expect((body as { accounts: Json[] }).accounts).toMatchObject([
      {
        display_name: 'Una',
        note: '<p><strong>Setup</strong></p>Run it.',
        locked: true,
        fields: [{ name: 'tea', value: 'green' }],
      },
    ]);
  });
});
