/** Somebody changed one of their filters, or a word or post of one: apps that keep them have to read them anew. */
export class FiltersChanged {
  static readonly type = 'timelines.filters-changed';

  constructor(readonly accountId: string) {}
}
