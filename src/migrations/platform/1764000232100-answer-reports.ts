import { ForwardOnly } from '../forward-only.js';

/**
 * Posts also report `>id` of the post that they answer when they come or go, and of both when they answer another one, for
 * threads in memory (docs/adr/0025). The other subjects are those of `ChangeReports`.
 */
export class AnswerReports1764000232100 extends ForwardOnly {
  readonly name = 'AnswerReports1764000232100';
  protected readonly statements = `
    create or replace function statuses_reports() returns trigger language plpgsql as $$
    declare subjects text := concat_ws(' ', coalesce(new.id, old.id), '+' || coalesce(new.author_id, old.author_id),
      case when coalesce(new.reblog_of_id, old.reblog_of_id) is not null then '~' || coalesce(new.author_id, old.author_id)
        when coalesce(new.visibility, old.visibility) in (0, 4) then '#' end,
      case when tg_op = 'UPDATE' and new.visibility <> old.visibility then '*' end,
      case when tg_op <> 'UPDATE' then '>' || coalesce(new.in_reply_to_id, old.in_reply_to_id)
        when new.in_reply_to_id is distinct from old.in_reply_to_id
        then concat_ws(' ', '>' || old.in_reply_to_id, '>' || new.in_reply_to_id) end);
    begin
      case coalesce(current_setting('svc.changes', true), '')
        when 'own' then raise notice using message = subjects, errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
      end case;
      return null;
    end $$;`;
}
