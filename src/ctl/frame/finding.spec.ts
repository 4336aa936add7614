import { findingLines } from './finding.js';

describe('the lines of a finding', () => {
  it('end with the note, so that a partial check with problems does not look like a whole one', () => {
    const finding = { check: 'counters', problems: ['2 are wrong'], fixed: false, note: 'the newest 200 of 900' };
    expect(findingLines(finding)).toEqual(['WRONG  counters: 2 are wrong', '...    counters: the newest 200 of 900']);
    expect(findingLines({ ...finding, problems: [] })).toEqual(['ok     counters: the newest 200 of 900']);
  });
});
