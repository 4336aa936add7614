import { ForwardOnly } from '../forward-only.js';

/** Who ordered an archive. Of older ones that is not known: they count as ordered by the owner. */
export class OrderedBackups1764000337000 extends ForwardOnly {
  readonly name = 'OrderedBackups1764000337000';
  protected readonly statements = `
    alter table backups add column by_staff boolean not null default false;
  `;
}
