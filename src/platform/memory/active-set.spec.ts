import { ActiveSet } from './active-set.js';

describe('ActiveSet', () => {
  it('contains the objects that were added and not removed', () => {
    const set = new ActiveSet<number>();
    const removals = [0, 1, 2, 3, 4].map((item) => set.add(item));
    for (const item of [1, 4, 0]) removals[item]!();
    removals[4]!(); // a second time
    set.add(5);
    expect(set.items.sort()).toEqual([2, 3, 5]);
    expect(set.size).toBe(3);
  });

  it('lists every object although members are removed meanwhile', () => {
    const set = new ActiveSet<() => void>();
    for (let number = 0; number < 3; number += 1) {
      const remove = set.add(() => remove());
    }
    for (const item of set.items) item();
    expect(set.size).toBe(0);
  });
});
