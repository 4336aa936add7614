import { ForwardOnly } from '../forward-only.js';

/**
 * Each account that gets another handle reports `=` and `*`, not only mentioned ones: posts also show the handles of the accounts
 * that they answer (docs/adr/0025), and no index knows whether there are such posts.
 */
export class AnsweredRenames1764000338200 extends ForwardOnly {
  readonly name = 'AnsweredRenames1764000338200';
  protected readonly statements = `
    create or replace function mentioned_account_reports() returns trigger language plpgsql as $$
      begin
        if current_setting('svc.changes', true) = 'own' then raise notice using message = '= *', errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $$;
    alter function mentioned_account_reports() rename to renamed_account_reports;`;
}
