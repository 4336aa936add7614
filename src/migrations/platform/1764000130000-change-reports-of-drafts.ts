import { ForwardOnly } from '../forward-only.js';

/**
 * Reports what is read for each new post besides the user: `~id` when an account gets other moderation tags, `app` and the
 * id when an app is renamed or removed (docs/adr/0025).
 */
export class ChangeReportsOfDrafts1764000130000 extends ForwardOnly {
  readonly name = 'ChangeReportsOfDrafts1764000130000';
  protected readonly statements = `
    create function id_reports() returns trigger language plpgsql as $$
      begin
        if current_setting('svc.changes', true) = 'own' then
          raise notice using message = tg_argv[0] || coalesce(new.id, old.id), errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $$;
    create trigger accounts_tagged after update on accounts for each row
      when (old.tags is distinct from new.tags) execute function id_reports('~');
    create trigger oauth_apps_changed after update of name, website or delete on oauth_apps
      for each row execute function id_reports('app');
    create trigger oauth_apps_emptied after truncate on oauth_apps
      for each statement execute function table_emptied();`;
}
