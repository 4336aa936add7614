import { QuotePolicy, Visibility } from '../../statuses/index.js';
import type { NoteSource } from './note.js';
import { interactionPolicy, withQuoteLink } from './quote.js';

const AUTHOR = 'https://svc.test/users/alice';
const EVERYBODY = 'https://www.w3.org/ns/activitystreams#Public';
const FOLLOWERS = `${AUTHOR}/followers`;
const { public: open, unlisted, private: closed, direct, list } = Visibility;
const source = (changes: Partial<NoteSource>) => ({ author: AUTHOR, quotePolicy: null, ...changes }) as NoteSource;

describe('the quote policy of a post', () => {
  it.each<[string, number, number | null, string]>([
    ['public', open, null, EVERYBODY],
    ['public', open, QuotePolicy.public, EVERYBODY],
    ['public', open, QuotePolicy.followers, FOLLOWERS],
    ['public', open, QuotePolicy.nobody, AUTHOR],
    ['unlisted', unlisted, null, EVERYBODY],
    ['unlisted', unlisted, QuotePolicy.followers, FOLLOWERS],
    ['private', closed, null, AUTHOR],
    ['private', closed, QuotePolicy.public, AUTHOR],
    ['direct', direct, QuotePolicy.public, AUTHOR],
    ['list', list, null, AUTHOR],
  ])('lets a %s post (%i) with the choice %j be quoted by %s', (_name, visibility, chosen, approved) => {
    expect(interactionPolicy(source({ visibility, quotePolicy: chosen }))).toEqual({
      canQuote: { automaticApproval: [approved], manualApproval: [] },
    });
  });
});

describe('the link to a quoted post', () => {
  const uri = 'https://far.test/notes/1?a&b';
  const link = (href: string) => `<p class="quote-inline">RE: <a href="${href}">${href}</a></p>`;
  it.each<[string, Partial<NoteSource>, string]>([
    [
      'leads to the page',
      { quoteUri: uri, quoteUrl: 'https://far.test/@mo/1' },
      `tea${link('https://far.test/@mo/1')}`,
    ],
    ['leads to the post', { quoteUri: uri, quoteUrl: null }, `tea${link('https://far.test/notes/1?a&amp;b')}`],
    ['is missing without a quote', { quoteUri: null, quoteUrl: null }, 'tea'],
  ])('%s', (_which, changes, expected) => {
    expect(withQuoteLink('tea', source(changes))).toBe(expected);
  });

  it('is not added to content that already has it', () => {
    const content = '<a href="https://far.test/notes/1?a&amp;b">it</a>';
    expect(withQuoteLink(content, source({ quoteUri: uri, quoteUrl: null }))).toBe(content);
  });
});
