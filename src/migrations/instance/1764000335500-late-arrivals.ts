import { ForwardOnly } from '../forward-only.js';

/** Users that were confirmed and approved while they were deactivated arrive when they are activated. */
export class LateArrivals1764000335500 extends ForwardOnly {
  readonly name = 'LateArrivals1764000335500';
  protected readonly statements = `
    alter table users add column arrives_later boolean not null default false;
  `;
}
