import { ForwardOnly } from '../forward-only.js';

/** Characters that are words of their own, as the column had them (`UnspacedWords`). */
const UNSPACED = String.raw`[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3040-\u30FF\u3100-\u312F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U000323AF]`;

/**
 * The options of a poll are words of its post. Generated columns cannot look at other tables, and to change one writes the
 * whole table anew: from here on a trigger makes `tsv`. `polls.count_words`, a job, adds the options of the polls that there
 * are, while people go on posting.
 */
export class PollWords1763600050100 extends ForwardOnly {
  readonly name = 'PollWords1763600050100';
  protected readonly statements = String.raw`
    alter table statuses alter column tsv drop expression;
    create function words_of(said text) returns tsvector language sql immutable parallel safe
      return to_tsvector('svc', regexp_replace(said, '(${UNSPACED})', ' \1 ', 'g'));
    create function statuses_words() returns trigger language plpgsql set search_path from current as $$
    begin
      new.tsv := words_of(new.spoiler || ' ' || new.content_text);
      if tg_op = 'UPDATE' and new.flags & 2 <> 0 then
        new.tsv := new.tsv || coalesce((
          select words_of(string_agg(o.title, ' ' order by o.position))
          from polls p join poll_options o on o.poll_id = p.id where p.status_id = new.id), '');
      end if;
      return new;
    end $$;
    create trigger statuses_words before insert or update of spoiler, content_text on statuses
      for each row execute function statuses_words();

    alter table polls add column counted boolean not null default false;
    create index polls_uncounted on polls (id) where not counted;
  `;
}
