import { Lazy } from './lazy.js';

describe('a lazy value', () => {
  it('is made once for concurrent and later requests', async () => {
    let made = 0;
    const lazy = new Lazy(() => Promise.resolve((made += 1)));
    expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([1, 1]);
    expect(await lazy.get()).toBe(1);
  });

  it('is made again after a drop', async () => {
    let made = 0;
    const lazy = new Lazy(() => Promise.resolve((made += 1)));
    await lazy.get();
    lazy.drop();
    expect(await lazy.get()).toBe(2);
  });

  it('is not cached when dropped during its making', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answers = [promise, Promise.resolve('new')];
    const lazy = new Lazy(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
    const early = lazy.get();
    lazy.drop();
    resolve('old');
    expect(await early).toBe('old');
    expect(await lazy.get()).toBe('new');
  });

  it('is retried after a failure, which does not drop a newer value', async () => {
    const { promise, reject } = Promise.withResolvers<string>();
    const answers = [promise, Promise.resolve('new')];
    const lazy = new Lazy(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
    const failing = lazy.get();
    lazy.drop();
    expect(await lazy.get()).toBe('new');
    reject(new Error('the database is away'));
    await expect(failing).rejects.toThrow('the database is away');
    expect(await lazy.get()).toBe('new');
  });

  it('forgets a failure', async () => {
    const answers = [() => Promise.reject(new Error('the database is away')), () => Promise.resolve('here')];
    const lazy = new Lazy(() => answers.shift()?.() ?? Promise.reject(new Error('asked too often')));
    await expect(lazy.get()).rejects.toThrow('the database is away');
    expect(await lazy.get()).toBe('here');
  });
});
