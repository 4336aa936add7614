import { Semaphore } from './semaphore.js';

describe('Semaphore', () => {
  it('runs a limited number of tasks at once, in the order of arrival', async () => {
    const semaphore = new Semaphore(2);
    const begun: number[] = [];
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<undefined>());
    const works = gates.map(({ promise }, index) =>
      semaphore.run(async () => {
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

  it('releases its place when a task fails', async () => {
    const semaphore = new Semaphore(1);
    const failing = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
