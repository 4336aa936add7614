import { describe, expect, it } from '@jest/globals';
import { misfits, readFaults } from '../support/faults.js';

/** `npm run prove-tests` plants these, one at a time, and demands that the named tests turn red. */
describe('the planted faults', () => {
  const faults = readFaults('.');

  it('have names of their own', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    expect(faults).not.toHaveLength(0);
  });

  it.each(faults)('$name: still fits the source', (fault) => {
    expect(misfits('.', fault)).toEqual([]);
    expect(fault.changes.filter(({ text, replacement }) => text === replacement)).toEqual([]);
  });
});
