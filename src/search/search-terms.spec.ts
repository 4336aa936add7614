import { searchTerms } from './search-terms.js';

const NOTHING = { text: undefined, from: undefined, parts: 0, missing: 0 };

describe('searchTerms', () => {
  it.each([
    ['green tea', { text: 'green tea' }],
    ['"green tea" -black', { text: '"green tea" -black' }],
    ['from:alice tea', { from: 'alice', text: 'tea' }],
    ['FROM:@bob@b.example has:media HAS:Poll', { from: '@bob@b.example', parts: 3 }],
    ['-has:link tea', { missing: 4, text: 'tea' }],
    ['"from:alice has:media" -"has:poll"', { text: '"from:alice has:media" -"has:poll"' }],
    ['has:cats -from:bob from:', { text: 'has:cats -from:bob from:' }],
    ['東京 -"大阪 tea" 茶', { text: '"東 京" -"大 阪 tea" "茶"' }],
    ['iPhoneを"買', { text: '"iPhone を 買"' }],
    ['"never closed from:alice', { text: '"never closed from:alice' }],
    ['', {}],
  ])('parses %j', (query, expected) => {
    expect(searchTerms(query)).toEqual({ ...NOTHING, ...expected });
  });
});
