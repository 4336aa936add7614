import { ForwardOnly } from '../forward-only.js';

/** Keeps the numbers of favourites and boosts that the server of a post told: not all of them are known here. */
export class ToldFavourites1764000175100 extends ForwardOnly {
  readonly name = 'ToldFavourites1764000175100';
  protected readonly statements = `
    alter table status_stats add column told_favourites integer, add column told_reblogs integer;`;
}
