import { ForwardOnly } from '../forward-only.js';

const NAMES = ['nickname', 'domain', 'ap_id', 'url'];
const namesOf = (row: string) => NAMES.map((name) => `${row}.${name}`).join(', ');

/**
 * An account that gets another handle or address reports `=`, and `*` since posts show these of the accounts that they mention
 * and answer (docs/adr/0025). New accounts report `?` still.
 */
export class AccountRenames1764000334000 extends ForwardOnly {
  readonly name = 'AccountRenames1764000334000';
  protected readonly statements = `
    create or replace function account_names_reports() returns trigger language plpgsql as $$
      begin
        if current_setting('svc.changes', true) = 'own' then
          raise notice using message = coalesce(tg_argv[0], '?'), errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $$;
    create or replace trigger accounts_renamed after update on accounts for each row
      when ((${namesOf('old')}) is distinct from (${namesOf('new')})) execute function account_names_reports('= *');`;
}
