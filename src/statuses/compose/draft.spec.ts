import { postingRestrictions } from '../../accounts/index.js';
import { formatText } from '../../common/index.js';
import {
  type ComposeOptions,
  type Draft,
  draftStatus,
  type DraftContext,
  handlesOf,
  requireLength,
  typedText,
} from './draft.js';
import { Visibility } from '../model/visibility.js';

const NOW = new Date('2024-05-01T10:20:30.000Z');
const FORMATS = ['text/plain', 'text/markdown', 'text/html', 'text/bbcode'];

const person = (accountId: string, username: string, domain?: string) => ({
  accountId,
  username,
  domain,
  url: `https://${domain ?? 'svc.test'}/users/${username}`,
});
const PEOPLE = [person('B', 'bob'), person('C', 'carol'), person('Z', 'zoe', 'far.test')];

const draftContext = (changes: Partial<DraftContext> = {}): DraftContext => ({
  authorId: 'A',
  defaults: { visibility: 'public', sensitive: false, language: null, quotePolicy: 'public' },
  restrictions: postingRestrictions([]),
  parent: undefined,
  mention: ({ username, domain }) => PEOPLE.find((person) => person.username === username && person.domain === domain),
  pollLimits: { max_options: 4, max_option_chars: 20, min_expiration: 0, max_expiration: 86_400 },
  formats: FORMATS,
  safeDirectMentions: false,
  now: NOW,
  ...changes,
});

function draft(options: Partial<ComposeOptions>, changes: Partial<DraftContext> = {}): Draft {
  const [typed, context] = [{ text: 'tea', ...options }, draftContext(changes)];
  const { source, type } = typedText(typed, context.formats);
  return draftStatus(typed, formatText(source, type, { ...context, baseUrl: 'https://svc.test' }), context);
}

const parentOf = (visibility: number, authorId = 'P') => ({
  id: 'parent',
  authorId,
  visibility,
  conversationId: '7',
});

describe('the text of a post', () => {
  it('links known accounts and tags in the content', () => {
    const made = draft({ text: '  hi @bob and @nobody, #Tea\nnow ' });
    expect(made.source).toBe('hi @bob and @nobody, #Tea\nnow');
    expect(made.contentHtml).toContain('data-user="B"');
    expect(made.contentHtml).toContain('and @nobody,');
    expect(made.contentHtml).toContain('data-tag="tea"');
    expect(made.contentText).toBe('hi @bob and @nobody, #Tea\nnow');
    expect(made.addressees).toEqual(['B']);
    expect(made.tags).toEqual(['tea']);
  });

  it('detects links to pages', () => {
    expect(draft({ text: 'see https://x.example/page' }).hasLinks).toBe(true);
    expect(draft({ text: 'https://rail.example/fares?class=2' }).hasLinks).toBe(true);
    expect(draft({ text: 'hi @bob #tea' }).hasLinks).toBe(false);
  });

  it('is parsed in its format, or as plain text when the format is unknown or not allowed', () => {
    expect(draft({ text: '**tea**', contentType: 'text/markdown' }).contentHtml).toContain('<strong>tea</strong>');
    expect(draft({ text: '**tea**', contentType: 'text/x-unknown' })).toMatchObject({
      contentType: 'text/plain',
      contentHtml: '<p>**tea**</p>',
    });
    expect(draft({ text: '<b>tea</b>', contentType: 'text/html' }, { formats: ['text/plain'] }).contentHtml).toBe(
      '<p>&lt;b&gt;tea&lt;/b&gt;</p>',
    );
  });

  it.each([
    ['nothing', '', 'text/plain'],
    ['blanks', ' \n\t ', 'text/plain'],
    ['invisible characters', '\u200b\u2060\ufe0f', 'text/plain'],
    ['markup without content', '<p><script>alert(1)</script></p>', 'text/html'],
  ])('is rejected when nothing is visible: %s', (_, text, contentType) => {
    expect(() => draft({ text, contentType })).toThrow('Cannot post an empty status without attachments');
  });

  it('may consist of an image only', () => {
    expect(draft({ text: '<img src="https://x.example/cup.png">', contentType: 'text/html' }).contentText).toBe('');
  });

  it('counts code points of the text and the content warning together', () => {
    const cats = '🐈'.repeat(60);
    expect(() => requireLength({ text: cats, spoiler: 'c'.repeat(40) }, 100)).not.toThrow();
    expect(() => requireLength({ text: cats, spoiler: 'c'.repeat(41) }, 100)).toThrow('over the character limit');
  });
});

describe('the other fields of a post', () => {
  it('takes the defaults of the author for omitted fields', () => {
    const defaults = { visibility: 'private', sensitive: true, language: 'de', quotePolicy: 'nobody' } as const;
    expect(draft({}, { defaults })).toMatchObject({ visibility: Visibility.private, sensitive: true, language: 'de' });
    expect(draft({ visibility: 'local', sensitive: false, language: 'pt-BR' }, { defaults })).toMatchObject({
      visibility: Visibility.local,
      sensitive: false,
      language: 'pt-BR',
    });
  });

  it.each([
    ['pt_BR', 'pt-BR'],
    ['EN', 'EN'],
    [' de ', 'de'],
    ['de-x-leicht', 'de-x-leicht'],
  ])('accepts a language tag in any spelling: %s', (language, tag) => {
    const defaults = { visibility: 'public', sensitive: false, language: 'eo', quotePolicy: 'public' } as const;
    expect(draft({ language }, { defaults }).language).toBe(tag);
  });

  it('ignores an invalid language', () => {
    expect(draft({ language: '../../etc' }).language).toBeNull();
  });

  it('marks a post with the tag #NSFW as sensitive', () => {
    expect(draft({ text: 'look #NSFW', sensitive: false }).sensitive).toBe(true);
  });

  it('requires an expiry of more than an hour', () => {
    expect(draft({}).expiresAt).toBeNull();
    expect(draft({ expiresIn: 3601 }).expiresAt).toEqual(new Date('2024-05-01T11:20:31.000Z'));
    expect(() => draft({ expiresIn: 3600 })).toThrow('Expiry date is too soon');
  });
});

describe('the audience of a post', () => {
  it.each(['public', 'unlisted', 'private', 'direct', 'local'] as const)(
    'defaults to the visibility of a %s parent',
    (name) => {
      expect(draft({}, { parent: parentOf(Visibility[name]) }).visibility).toBe(Visibility[name]);
    },
  );

  it('stays direct in a reply to a direct post', () => {
    const parent = parentOf(Visibility.direct);
    expect(() => draft({ visibility: 'public' }, { parent })).toThrow('The message visibility must be direct');
    expect(draft({ visibility: 'direct' }, { parent }).visibility).toBe(Visibility.direct);
  });

  it.each([
    ['public', Visibility.public, ['P', 'B']],
    ['unlisted', Visibility.public, ['P', 'B']],
    ['local', Visibility.local, ['P', 'B']],
    ['private', Visibility.public, ['B']],
    ['direct', Visibility.public, ['B']],
    ['direct', Visibility.direct, ['P', 'B']],
  ] as const)('includes the author of the parent in a %s reply to visibility %s: %j', (visibility, of, addressees) => {
    expect(draft({ text: '@bob yes', visibility }, { parent: parentOf(of) }).addressees).toEqual(addressees);
  });

  it('includes each account once, and not the author of a reply to oneself', () => {
    expect(draft({ text: '@bob @bob @carol' }).addressees).toEqual(['B', 'C']);
    expect(draft({}, { parent: parentOf(Visibility.public, 'A') }).addressees).toEqual([]);
  });

  it('uses `to` instead of the mentions in the text', () => {
    const made = draft({ text: 'about @bob', visibility: 'direct', to: ['carol', '@zoe@far.test', 'nobody'] });
    expect(made.addressees).toEqual(['C', 'Z']);
    expect(made.contentHtml).toContain('data-user="B"');
    expect(draft({ text: 'about @bob', to: [] }).addressees).toEqual([]);
  });

  it('includes only leading mentions of a direct post when the server is configured so', () => {
    const text = '@bob @zoe@far.test have you seen @carol?';
    expect(draft({ text, visibility: 'direct' }, { safeDirectMentions: true }).addressees).toEqual(['B', 'Z']);
    expect(draft({ text, visibility: 'direct' }).addressees).toEqual(['B', 'Z', 'C']);
    expect(draft({ text, visibility: 'public' }, { safeDirectMentions: true }).addressees).toEqual(['B', 'Z', 'C']);
  });

  it.each([
    ['text/plain', '\n@bob, @nobody\n@carol: hi @zoe@far.test', ['B', 'C']],
    ['text/plain', '@bob (@carol knows)', ['B']],
    ['text/plain', '(@bob) hi', []],
    ['text/plain', 'hi @bob', []],
    ['text/plain', '@bob #tea @carol', ['B']],
    ['text/html', '<p>@bob hi @carol</p>', ['B']],
    ['text/html', '<p><b>@bob</b></p><p>@carol hi @zoe@far.test</p>', ['B', 'C']],
    ['text/html', '<p>@bob</p><p>hi @carol</p>', ['B']],
    ['text/html', '@bob <b>hi</b> @carol', ['B']],
    ['text/html', '<code>x</code> @bob', []],
    ['text/html', '<a href="https://b.example">see</a> @bob', []],
    ['text/html', '<blockquote>@bob says</blockquote>@carol', []],
    ['text/markdown', '**@bob** hi @carol', ['B']],
    ['text/markdown', '> @bob says\n\n@carol', []],
    ['text/bbcode', '[b]@bob[/b] hi @carol', ['B']],
  ])('finds the leading mentions in %s: %j', (contentType, text, addressees) => {
    const made = draft({ text, contentType, visibility: 'direct' }, { safeDirectMentions: true });
    expect(made.addressees).toEqual(addressees);
  });
});

it('typedText trims the text, as an indented first line would be code in Markdown', () => {
  const options = { text: '\n    hi @bob', contentType: 'text/markdown' };
  expect(typedText(options, FORMATS)).toEqual({ source: 'hi @bob', type: 'text/markdown' });
});

it('handlesOf reads names in any spelling, and ignores others', () => {
  expect(handlesOf(['@zoe@FAR.test', 'bob', 'no one', 'bob@', 'a@b@c'])).toEqual([
    { username: 'zoe', domain: 'far.test' },
    { username: 'bob', domain: undefined },
  ]);
});
