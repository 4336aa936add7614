import { ForwardOnly } from '../forward-only.js';

/**
 * Each follow says whether its follower is on another server. The delivery of a post finds remote followers without reading
 * the accounts of all followers. The domain of an account never changes, so the row is right for good. Rows of a backup bring
 * the value.
 */
export class RemoteFollowers1764000229200 extends ForwardOnly {
  readonly name = 'RemoteFollowers1764000229200';
  protected readonly statements = `
    alter table follows add column remote_follower boolean not null default false;
    alter table follows disable trigger follows_changed;
    update follows f set remote_follower = true from accounts a where a.id = f.follower_id and a.domain is not null;
    alter table follows enable trigger follows_changed;
    alter table follows alter column remote_follower drop default;
    create function follows_remote_follower() returns trigger language plpgsql as $$
    begin
      new.remote_follower := coalesce((select domain is not null from accounts where id = new.follower_id), false);
      return new;
    end $$;
    create trigger follows_remote_follower before insert on follows for each row when (new.remote_follower is null)
      execute function follows_remote_follower();`;
}
