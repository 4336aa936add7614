import { ForwardOnly } from '../forward-only.js';

/** The group in whose thread a post stands: answers reach it. Public posts that are stored already name it. */
export class StatusGroups1764000170000 extends ForwardOnly {
  readonly name = 'StatusGroups1764000170000';
  protected readonly statements = `
    alter table statuses add column group_id text collate "C";
    update statuses s set group_id = m.account_id from accounts a join mentions m on m.account_id = a.id
      where a.actor_type = 'Group' and m.status_id = s.id and s.visibility in (0, 1);`;
}
