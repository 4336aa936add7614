import { ForwardOnly } from '../forward-only.js';

/** Takes the reporter's own state out of stored copies of reported posts, at any depth, as visitors see posts. */
export class UnmarkedCopies1764000330000 extends ForwardOnly {
  readonly name = 'UnmarkedCopies1764000330000';
  protected readonly statements = `
    create function pg_temp.unmarked(value jsonb) returns jsonb language plpgsql as $$
      declare
        marks constant jsonb := '{"favourited": false, "reblogged": false, "bookmarked": false, "muted": false,
          "pinned": false, "me": false, "thread_muted": false, "filtered": [], "current_user": "denied",
          "bookmark_folder": null, "pinned_at": null, "direct_conversation_id": null}';
      begin
        return case jsonb_typeof(value)
          when 'object' then (
            select coalesce(jsonb_object_agg(key, coalesce(marks -> key, pg_temp.unmarked(member))), '{}')
            from jsonb_each(value) as members(key, member) where key not in ('voted', 'own_votes'))
          when 'array' then (
            select coalesce(jsonb_agg(pg_temp.unmarked(member) order by place), '[]')
            from jsonb_array_elements(value) with ordinality as members(member, place))
          else value
        end;
      end
    $$;
    update report_statuses set copy = pg_temp.unmarked(copy) where copy is not null;
    drop function pg_temp.unmarked(jsonb);
  `;
}
