import { ForwardOnly } from '../forward-only.js';

/** Which posts show what the page of their card says now. Changes no row: whatever was shown counts as the newest. */
export class CardRevisions1763600050000 extends ForwardOnly {
  readonly name = 'CardRevisions1763600050000';
  protected readonly statements = `
    alter table cards add column revision integer not null default 0;
    alter table status_cards add column revision integer not null default 0;
  `;
}
