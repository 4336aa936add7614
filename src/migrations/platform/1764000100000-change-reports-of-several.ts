import { ForwardOnly } from '../forward-only.js';

/**
 * Servers of earlier versions that are some of several report nothing (`svc.changes` is `none`), since they keep nothing. Later
 * ones do, so while versions change, what the earlier ones write must reach them: as a notification, like any other session's.
 */
export class ChangeReportsOfSeveral1764000100000 extends ForwardOnly {
  readonly name = 'ChangeReportsOfSeveral1764000100000';
  protected readonly statements = `
    do $$
    declare
      silence constant text := $x$when 'none' then null;$x$;
      definition text;
    begin
      for definition in
        select pg_get_functiondef(oid) from pg_proc
        where pronamespace = current_schema()::regnamespace and strpos(prosrc, silence) > 0
      loop
        execute replace(definition, silence, '');
      end loop;
    end $$;`;
}
