/** An account changed a filter, or a word or post of one: apps must reload the account's filters. */
export class FiltersChanged {
  static readonly type = 'timelines.filters-changed';

  constructor(readonly accountId: string) {}
}
