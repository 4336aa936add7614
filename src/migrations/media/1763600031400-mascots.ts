import { ForwardOnly } from '../forward-only.js';

/** Pictures that frontends show beside what people write. */
export class Mascots1763600031400 extends ForwardOnly {
  readonly name = 'Mascots1763600031400';
  protected readonly statements = `
    create table mascots (
      account_id text collate "C" primary key references accounts (id) on delete cascade,
      attachment_id bigint not null unique references attachments (id) on delete cascade
    );
  `;
}
