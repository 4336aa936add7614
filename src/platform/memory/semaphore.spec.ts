import { describe, expect, it } from '@jest/globals';
import { Turns } from './semaphore.js';

describe('Turns', () => {
  it('runs no more than so many at once, in the order of arrival', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<undefined>());
    const works = gates.map(({ promise }, index) =>
      turns.run(async () => {
        begun.push(index);
        await promise;
        return index;
      }),
    );
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    gates[1]!.resolve(undefined);
    expect(await works[1]).toBe(1);
    expect(begun).toEqual([0, 1, 2]);
    gates.forEach(({ resolve }) => resolve(undefined));
    expect(await Promise.all(works)).toEqual([0, 1, 2, 3]);
  });

  it('passes the turn on when the work fails', async () => {
    const turns = new Turns(1);
    const failing = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
