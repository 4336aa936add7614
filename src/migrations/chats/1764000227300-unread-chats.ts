import { ForwardOnly } from '../forward-only.js';

/**
 * Messages of chats report that they come, are read and go, as notifications do (`!id`): the owner of the chat is shown
 * how many chats have unread messages (docs/adr/0025).
 */
export class UnreadChats1764000227300 extends ForwardOnly {
  readonly name = 'UnreadChats1764000227300';
  protected readonly statements = `
    create function chat_entries_reports() returns trigger language plpgsql as $$
      declare subjects text := (select string_agg(distinct '!' || c.owner_id, ' ')
        from changed join chats c on c.id = changed.chat_id);
      begin
        if subjects is not null then
          case coalesce(current_setting('svc.changes', true), '')
            when 'own' then raise notice using message = subjects, errcode = 'SVC01';
            else perform pg_notify('svc_changes', '');
          end case;
        end if;
        return null;
      end $$;
    create trigger chat_entries_inserted after insert on chat_entries referencing new table as changed
      for each statement execute function chat_entries_reports();
    create trigger chat_entries_updated after update on chat_entries referencing new table as changed
      for each statement execute function chat_entries_reports();
    create trigger chat_entries_deleted after delete on chat_entries referencing old table as changed
      for each statement execute function chat_entries_reports();
    create trigger chat_entries_emptied after truncate on chat_entries
      for each statement execute function table_emptied();`;
}
