import { ForwardOnly } from '../forward-only.js';

const HANDLE = ['nickname', 'domain'];
const handleOf = (row: string) => HANDLE.map((name) => `${row}.${name}`).join(', ');

/**
 * A mentioned account that gets another handle reports `=`, and `*` since posts show the handles of the accounts that they
 * mention (docs/adr/0025). Other renamed accounts, and new ones, report `?` still.
 */
export class AccountRenames1764000334000 extends ForwardOnly {
  readonly name = 'AccountRenames1764000334000';
  protected readonly statements = `
    create function mentioned_account_reports() returns trigger language plpgsql as $$
      begin
        if not exists (select from mentions where account_id = new.id) then return null; end if;
        if current_setting('svc.changes', true) = 'own' then raise notice using message = '= *', errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $$;
    create trigger accounts_handle_changed after update on accounts for each row
      when ((${handleOf('old')}) is distinct from (${handleOf('new')})) execute function mentioned_account_reports();`;
}
