import { afterAll, describe, expect, it } from '@jest/globals';
import { Scratch } from '../process/scratch.js';
import { jobCases } from './cases.js';
import { killedWorkerCase } from './killed-worker.js';
import { Office } from './office.js';

describe('jobs without Redis', () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  jobCases(() => ({}));
  killedWorkerCase(scratch, () => ({}));

  it('can be run to the last one without a worker', async () => {
    const office = await Office.open();
    await office.enqueueAll(['a', 'b', 'c']);
    expect(await office.worker.drain()).toBe(3);
    expect(office.notebook.seen).toEqual(['a', 'b', 'c']);
    await office.close();
  });
});
