import { ForwardOnly } from '../forward-only.js';

const NAMES = ['nickname', 'domain', 'ap_id'];
const namesOf = (row: string) => NAMES.map((name) => `${row}.${name}`).join(', ');

/**
 * Reports `?` when an account gets its names, for values that say that nobody has one (docs/adr/0025): as the reports of
 * `ChangeReports`, of which none is made for new accounts.
 */
export class AccountNames1764000110000 extends ForwardOnly {
  readonly name = 'AccountNames1764000110000';
  protected readonly statements = `
    create function account_names_reports() returns trigger language plpgsql as $$
      begin
        if current_setting('svc.changes', true) = 'own' then raise notice using message = '?', errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $$;
    create trigger accounts_named after insert on accounts for each statement execute function account_names_reports();
    create trigger accounts_renamed after update on accounts for each row
      when ((${namesOf('old')}) is distinct from (${namesOf('new')})) execute function account_names_reports();`;
}
