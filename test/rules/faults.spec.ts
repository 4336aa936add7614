import { faultsOf } from '../../bench/torture/faults.ts';
import { CORE, MOST, plant, readFaults, sourcesOf } from '../support/faults.js';

/** `npm run prove-tests` plants these, one at a time, and requires that the named tests fail. */
describe('the planted faults', () => {
  const faults = readFaults('.');
  const paths = sourcesOf('.');

  it('have unique names', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  });

  it('are few enough for CI', () => {
    expect(faults.length).toBeLessThanOrEqual(MOST.all);
    expect(readFaults('.', CORE).length).toBeLessThanOrEqual(MOST.core);
  });

  it.each(faults)('fit the source: $name', (fault) => {
    expect(plant('.', paths, fault).misfits).toEqual([]);
    for (const { text, replacement } of fault.changes) {
      expect(replacement).not.toBe(text);
      expect(text.trim()).not.toContain('\n');
    }
  });
});

/** `npm run torture -- <kind> --fault` builds the server with each. */
describe('the faults that only torture finds', () => {
  const faults = faultsOf('.');
  const paths = sourcesOf('.');

  it.each(faults)('fit the source: $name', ({ changes }) => {
    expect(plant('.', paths, { name: '', changes, specs: [], tests: '' }).misfits).toEqual([]);
  });
});
