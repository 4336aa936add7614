import { parseActor } from './remote-actor.js';

const ID = 'https://far.test/users/zoe';
const PEM = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n';
const person = { id: ID, type: 'Person', preferredUsername: 'zoe', inbox: `${ID}/inbox` };
const parsed = (changes: object) => parseActor({ ...person, ...changes });
const key = (changes: object) => ({ id: `${ID}#main-key`, owner: ID, publicKeyPem: PEM, ...changes });

describe('parseActor', () => {
  it.each([
    ['null', null],
    ['a text', 'https://far.test/users/zoe'],
    ['a list', [person]],
    ['another type', { ...person, type: 'Note' }],
    ['no id', { ...person, id: undefined }],
    ['a script as id', { ...person, id: 'javascript:alert(1)' }],
    ['a password in its id', { ...person, id: 'https://u:p@far.test/users/zoe' }],
    ['a space in its id', { ...person, id: 'https://far.test/users/ zoe' }],
    ['no inbox', { ...person, inbox: null }],
    ['an inbox elsewhere', { ...person, inbox: 'https://other.test/inbox' }],
    ['a name with an @', { ...person, preferredUsername: 'zoe@other.test' }],
    ['a name with markup', { ...person, preferredUsername: '<b>' }],
    ['an object as name', { ...person, preferredUsername: { a: 1 }, id: 'https://far_.test:x/', inbox: 'x' }],
  ])('refuses %s', (_case, json) => {
    expect(parseActor(json)).toBeUndefined();
  });

  it.each([
    'https://ap.example:443/users/x',
    'https://ap.example?u=x',
    'https:///ap.example/x',
    'https://bücher.example/users/x',
  ])('refuses the id %s, in which SQL would read another host', (id) => {
    expect(parsed({ id, inbox: id })).toBeUndefined();
  });

  it.each(['https://AP.example/users/x', 'https://ap.example:8443/users/x', 'http://[::1]:8080/users/x'])(
    'accepts the id %s',
    (id) => {
      expect(parsed({ id, inbox: id })?.uri).toBe(id);
    },
  );

  it('names an actor without a name by its host', () => {
    expect(parsed({ type: 'Application', preferredUsername: undefined })?.username).toBe('far.test');
  });

  it('accepts collections and the shared inbox only on the server of the actor', () => {
    const elsewhere = 'https://other.test/x';
    const actor = parsed({ endpoints: { sharedInbox: elsewhere }, followers: elsewhere, outbox: `${ID}/outbox` });
    expect(actor).toMatchObject({ sharedInboxUrl: null, followersUrl: null, outboxUrl: `${ID}/outbox` });
  });

  it.each([
    ['of another owner', key({ owner: 'https://far.test/users/eve' })],
    ['on another server', key({ id: 'https://other.test/key' })],
    ['without an id', key({ id: undefined })],
    ['that is too long', key({ publicKeyPem: 'x'.repeat(10_001) })],
  ])('drops a key %s (threat F3)', (_case, publicKey) => {
    expect(parsed({ publicKey })?.keys).toEqual([]);
  });

  it('reads several keys, and one in a document of its own', () => {
    const other = key({ id: `${ID}#second`, owner: undefined });
    const keys = [
      { id: `${ID}#main-key`, pem: PEM },
      { id: `${ID}#second`, pem: PEM },
    ];
    expect(parsed({ publicKey: [key({}), other] })?.keys).toEqual(keys);
    expect(parsed({ publicKey: `${ID}/publickey` })?.keys).toEqual([{ id: `${ID}/publickey`, pem: null }]);
  });

  it('limits lists and texts, and drops values of the wrong type (threat F13)', () => {
    const field = { type: 'PropertyValue', name: 'x', value: 'y' };
    const actor = parsed({
      name: { toString: 1 },
      summary: 7,
      icon: [null, 5, { type: 'Image', url: { href: 'https://far.test/a.png' }, name: [7] }],
      attachment: [{ type: 'Image' }, { ...field, value: 3 }, ...Array.from({ length: 5_000 }, () => field)],
      alsoKnownAs: Array.from({ length: 5_000 }, (_, at) => `https://far.test/${at}`),
      manuallyApprovesFollowers: 'yes',
      published: '9999999-01-01',
      'vcard:bday': 'soon',
    });
    expect(actor).toMatchObject({
      name: '',
      summaryHtml: '',
      avatar: { url: 'https://far.test/a.png', description: '' },
      locked: false,
      publishedAt: null,
      birthday: null,
    });
    expect(actor?.fields.length).toBeLessThanOrEqual(100);
    expect(actor?.alsoKnownAs).toHaveLength(20);
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
  ] as const)('F29 accepts a page only on the host of the actor: %j', (url, shown) => {
    expect(parsed({ url })?.url).toBe(shown);
  });

  it.each([
    [{}, null, []],
    [{ indexable: false, attributionDomains: 'blog.test' }, false, ['blog.test']],
    [{ indexable: true, attributionDomains: ['Blog.test', 'https://blog.test/x', 7, 'a b'] }, true, ['blog.test']],
    [{ indexable: 'no', attributionDomains: null }, null, []],
  ])('reads indexable and attributionDomains: %j', (given, indexable, attributionDomains) => {
    expect(parsed(given)).toMatchObject({ indexable, attributionDomains });
  });

  it.each([
    ['1965-05-01', '1965-05-01'],
    ['1969-12-31T00:00:00Z', '1969-12-31'],
    ['1970-01-01', '1970-01-01'],
    ['1965-02-30', null],
    ['1965-05', null],
    ['65-05-01', null],
  ])('reads the birthday %j as %j', (given, birthday) => {
    expect(parsed({ 'vcard:bday': given })?.birthday).toBe(birthday);
  });

  it('keeps only emoji with a proper name (threat F15)', () => {
    const emoji = (name: string) => ({ type: 'Emoji', name, icon: { url: 'https://far.test/e.png' } });
    const actor = parsed({
      tag: [emoji(':ok:'), emoji('bare'), emoji(':../x:'), emoji(':a b:'), emoji(':ok:')],
    });
    expect(actor?.emojis.map(({ shortcode }) => shortcode)).toEqual(['ok', 'bare']);
  });
});
