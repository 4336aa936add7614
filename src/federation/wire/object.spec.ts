import { parseObject } from './object.js';

const ZOE = 'https://far.test/users/zoe';
const note = { id: 'https://far.test/notes/1', type: 'Note', attributedTo: ZOE, content: 'x' };
const parsed = (changes: object) => parseObject({ ...note, ...changes });
const many = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));

describe('parseObject', () => {
  it.each([
    ['nothing', undefined],
    ['another type', { ...note, type: 'Person' }],
    ['a tombstone', { ...note, type: 'Tombstone' }],
    ['no id', { ...note, id: '' }],
    ['an id that is no address', { ...note, id: 'urn:1' }],
    ['no author', { ...note, attributedTo: [] }],
    ['an author of another server (threat F5)', { ...note, attributedTo: 'https://other.test/users/eve' }],
    ['100,001 characters', { ...note, content: 'x'.repeat(100_001) }],
    ['an answer to nothing', { ...note, type: 'Answer', name: 'x', content: undefined }],
  ])('refuses %s', (_case, json) => {
    expect(parseObject(json)).toBeUndefined();
  });

  it.each([
    ['a text', ZOE],
    ['an object', { id: ZOE }],
    ['the first text of a list', [{ type: 'Person', id: 'https://other.test/1' }, ZOE]],
    [
      'the first person of a list',
      [
        { type: 'Group', id: 'https://far.test/c' },
        { type: 'Person', id: ZOE },
      ],
    ],
  ])('reads an author that is %s', (_case, attributedTo) => {
    expect(parsed({ attributedTo })?.attributedTo).toBe(ZOE);
  });

  it('reads addressees in every spelling, hidden ones too, but no hidden public collection', () => {
    const addressed = parsed({ to: 'as:Public', cc: [{ id: ZOE }, 'Public', 5, null], bto: [ZOE] });
    const readers = 'https://www.w3.org/ns/activitystreams#Public';
    expect(addressed).toMatchObject({ to: [readers, ZOE], cc: [ZOE, readers] });
    expect(parsed({ bto: 'Public', bcc: [readers, ZOE] })).toMatchObject({ to: [], cc: [ZOE] });
    expect(parsed({})).toMatchObject({ to: [], cc: [] });
  });

  it('uses the text of the first language when there is no other', () => {
    const map = { de: '<p>eins</p>', en: '<p>one</p>' };
    expect(parsed({ content: undefined, contentMap: map })).toMatchObject({
      texts: { content: '<p>eins</p>' },
      language: 'de',
    });
    expect(parsed({ content: '<p>one</p>', contentMap: map })?.language).toBe('en');
  });

  it('escapes titles (threat F14)', () => {
    const page = parsed({ type: 'Page', name: '<img src=x onerror=y>', url: 'javascript:x', content: '' });
    expect(page?.texts.before).toBe(`<p><a href="${note.id}">&lt;img src=x onerror=y&gt;</a></p>`);
    expect(page?.url).toBeNull();
  });

  it.each([
    [undefined, null],
    ['https://far.test/@x', 'https://far.test/@x'],
    ['https://FAR.test/@x', 'https://FAR.test/@x'],
    ['http://far.test/@x', 'http://far.test/@x'],
    ['https://far.test:8443/@x', null],
    ['https://www.far.test/@x', null],
    ['https://bank.test/@x', null],
    ['https://far.test.bank.test/@x', null],
    ['https://far.test@bank.test/@x', null],
    [{ type: 'Link', href: 'https://bank.test/@x' }, null],
    [[{ type: 'Link', mediaType: 'text/html', href: 'https://bank.test/@x' }, 'https://far.test/@x'], null],
    [
      ['https://bank.test/@x', { type: 'Link', mimeType: 'text/html', href: 'https://far.test/@x' }],
      'https://far.test/@x',
    ],
    [
      ['https://bank.test/@x', { type: 'Link', mediaType: 'Text/HTML; charset=utf-8', href: 'https://far.test/@x' }],
      'https://far.test/@x',
    ],
    [
      [{ type: 'Link', mediaType: 'text/html', href: 'https://far.test/@x' }, 'https://bank.test/@x'],
      'https://far.test/@x',
    ],
  ] as const)('F29 accepts a page only on the host of the object: %j', (url, shown) => {
    expect(parsed({ url })?.url).toBe(shown);
  });

  it.each([
    [true, true],
    ['true', true],
    [[true], true],
    [[false, true], true],
    [['false'], false],
    [[], false],
    [1, false],
    [undefined, false],
  ])('reads sensitive %j as %j', (sensitive, read) => {
    expect(parsed({ sensitive })?.sensitive).toBe(read);
  });

  it('reads the summary of a titled post as a content warning only when it is sensitive', () => {
    const article = { type: 'Article', name: 'T', summary: '<p>sum</p>', content: undefined };
    expect(parsed(article)?.texts).toMatchObject({ content: '<p>sum</p>', summary: '' });
    expect(parsed({ ...article, sensitive: true })?.texts).toMatchObject({ content: '', summary: '<p>sum</p>' });
    expect(parsed({ summary: 'a warning' })?.texts.summary).toBe('a warning');
  });

  it('distinguishes votes from posts', () => {
    const vote = { content: undefined, name: 'yes', inReplyTo: 'https://svc.test/objects/1' };
    expect(parsed(vote)).toMatchObject({ isVote: true, name: 'yes' });
    expect(parsed({ ...vote, content: 'and why' })?.isVote).toBe(false);
    expect(parsed({ ...vote, inReplyTo: null })?.isVote).toBe(false);
  });

  it('leaves the time of an edit as it is stated, and compares it with the stated publication', () => {
    const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const [published, updated] = [ahead(10), ahead(11)];
    expect(parsed({ published, updated })?.updated).toEqual(new Date(updated));
    expect(parsed({ published, updated: published })?.updated).toBeNull();
  });

  it('reads times before 1970, of old letters for example, and ends polls that ended then', () => {
    const published = '1965-05-01T12:00:00.000Z';
    expect(parsed({ published })?.published).toEqual(new Date(published));
    const poll = { type: 'Question', oneOf: [{ name: 'yes' }], endTime: published };
    expect(parsed(poll)?.poll?.expiresAt).toEqual(new Date(published));
    expect(parsed({ ...poll, endTime: '0001-01-01T00:00:00Z' })?.poll?.expiresAt).toBeNull();
  });

  it('clamps future times, and drops those up to 1900 or after 9999 (threat F18)', () => {
    expect(parsed({ published: '3024-01-01T00:00:00Z' })!.published!.getTime()).toBeLessThanOrEqual(Date.now());
    for (const published of ['0001-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '9999999-01-01T00:00:00Z', 'yesterday', 5])
      expect(parsed({ published })?.published).toBeNull();
  });

  it.each([
    ['quoteUrl', { quoteUrl: 'https://q.test/1' }],
    ['quoteUri', { quoteUri: 'https://q.test/1' }],
    ['_misskey_quote', { quoteUrl: 'no address', _misskey_quote: 'https://q.test/1' }],
    ['quote', { quote: 'https://q.test/1' }],
    ['a link', { tag: { type: 'Link', rel: 'https://misskey-hub.net/ns#_misskey_quote', href: 'https://q.test/1' } }],
  ])('reads a quote named by %s', (_case, changes) => {
    expect(parsed(changes)?.quoteUri).toBe('https://q.test/1');
  });

  it('limits lists, numbers and nesting (threats F13, F17)', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 3_000; level += 1) deep = { id: deep, url: deep, content: deep };
    const object = parsed({
      type: 'Question',
      to: many(5_000, (at) => `https://far.test/${at}`),
      tag: many(5_000, (at) => ({ type: 'Mention', href: `https://far.test/${at}` })),
      attachment: many(5_000, (at) => ({ type: 'Document', url: `https://far.test/${at}.png`, width: 1e18 })),
      oneOf: many(2_000, (at) => ({ name: `o${at}`, replies: { totalItems: 1e18 } })),
      replies: { items: many(5_000, (at) => `https://far.test/${at}`) },
      inReplyTo: deep,
      context: deep,
      summary: deep,
      __proto__: { polluted: true },
    })!;
    expect(object.to).toHaveLength(1_000);
    expect(object.mentions).toHaveLength(50);
    expect(object.attachments).toHaveLength(32);
    expect(object.attachments[0]?.width).toBeNull();
    expect(object.poll?.options).toHaveLength(100);
    expect(object.poll?.voters).toBe(2_000_000_000);
    expect(object.replies).toHaveLength(100);
    expect(object).toMatchObject({ inReplyTo: null, context: null, texts: { summary: '' } });
  });

  it('leaves names of options unchanged, and ends closed polls', () => {
    const question = { type: 'Question', oneOf: [{ name: ' yes ' }, { name: '' }], published: '2024-01-01T00:00:00Z' };
    expect(parsed(question)?.poll).toMatchObject({ options: [{ title: ' yes ', votes: 0 }], expiresAt: null });
    expect(parsed({ ...question, closed: true })?.poll?.expiresAt).toEqual(new Date('2024-01-01T00:00:00Z'));
    expect(parsed({ ...question, oneOf: null, anyOf: [] })?.poll).toBeNull();
  });

  const picture = 'https://far.test/cup.png';
  const thumbnail = { type: 'Image', url: 'https://far.test/small' };
  it.each<[string, object, string[]]>([
    ['a link to it', { attachment: [{ type: 'Link', href: picture }] }, [picture]],
    [
      'a link with its type',
      { attachment: [{ type: 'Link', href: thumbnail.url, mediaType: 'image/webp' }] },
      [thumbnail.url],
    ],
    ['a link, and its thumbnail', { attachment: [{ type: 'Link', href: picture }], image: thumbnail }, [picture]],
    ['a file, and its thumbnail', { attachment: [{ type: 'Image', url: picture }], image: thumbnail }, [picture]],
    ['a picture alone', { image: thumbnail }, [thumbnail.url]],
    ['an address alone', { image: picture }, [picture]],
    [
      'a picture that is attached as a page',
      { attachment: [{ type: 'Link', href: thumbnail.url }], image: thumbnail },
      [thumbnail.url],
    ],
    ['a page, and its thumbnail', { attachment: [{ type: 'Link', href: 'https://pots.test/' }], image: thumbnail }, []],
    ['nothing that is a picture', { image: { type: 'Image' } }, []],
    ['a picture, but no title', { type: 'Note', image: thumbnail }, []],
  ])('shows the picture of a page with %s', (_what, changes, shown) => {
    const page = parsed({ type: 'Page', name: 'Cup', ...changes })!;
    expect(page.attachments.map(({ url, type }) => [type, url])).toEqual(shown.map((url) => ['image', url]));
  });

  it('drops attachments without an address, and guesses missing types', () => {
    const attachment = [null, 'x', { type: 'Image' }, { type: 'Image', url: 'https://far.test/a' }];
    const [file, ...others] = parsed({
      attachment: [...attachment, { url: 'https://far.test/a.MP3?x=1' }],
    })!.attachments;
    expect(file).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
    expect(others).toMatchObject([{ type: 'audio', mimeType: 'audio/mpeg' }]);
  });
});

describe('parseObject of a video', () => {
  const file = (name: string, height: number, ...codecs: string[]) => ({
    type: 'Link',
    mediaType: 'video/mp4',
    href: `https://far.test/${name}.mp4`,
    height,
    attachment: codecs.map((value) => ({ type: 'PropertyValue', name: 'ffprobe_codec_type', value })),
  });
  const playlist = (...tag: object[]) => ({ type: 'Link', mediaType: 'application/x-mpegURL', href: 'x:y', tag });
  const split = playlist(file('1080', 1_080, 'video'), file('480', 480, 'video'), file('sound', 0, 'audio'));
  const fileOf = (...url: object[]) => {
    const names = parsed({ type: 'Video', name: 'film', url })?.attachments.map(({ url: each }) => each.slice(17, -4));
    return names ?? 'refused';
  };

  it('takes no file without its sound, and not the sound alone', () => {
    expect(fileOf(split)).toEqual([]);
  });

  it('takes the file with both beside files of one', () => {
    expect(fileOf(split, file('web', 720, 'video', 'audio'))).toEqual(['web']);
    expect(fileOf(split, file('unknown', 360))).toEqual(['unknown']);
  });

  it('takes the largest file of a video without sound, of a recording, and of files that name no codec', () => {
    expect(fileOf(playlist(file('720', 720, 'video'), file('480', 480, 'video')))).toEqual(['720']);
    expect(fileOf(playlist(file('sound', 0, 'audio')))).toEqual(['sound']);
    expect(fileOf(playlist(file('720', 720), file('480', 480)))).toEqual(['720']);
  });
});
