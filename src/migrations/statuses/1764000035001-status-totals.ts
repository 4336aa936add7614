import { ForwardOnly } from '../forward-only.js';

/**
 * How many posts each server has, by visibility. The empty domain is this server; its numbers are spread over several
 * rows, so that people who post at once do not wait for each other.
 */
export class StatusTotals1764000035001 extends ForwardOnly {
  readonly name = 'StatusTotals1764000035001';
  protected readonly statements = `
    create table status_totals (
      domain text collate "C" not null,
      visibility smallint not null,
      slot smallint not null,
      count integer not null,
      primary key (domain, visibility, slot)
    );
    insert into status_totals (domain, visibility, slot, count)
      select coalesce(a.domain, ''), s.visibility, 0, count(*)
      from statuses s join accounts a on a.id = s.author_id where s.reblog_of_id is null group by 1, 2;
  `;
}
