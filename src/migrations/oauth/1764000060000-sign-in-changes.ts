import { ForwardOnly } from '../forward-only.js';

/**
 * Whatever ends or narrows a sign-in tells `svc_sign_ins`, whoever writes it: servers keep sign-ins in memory (docs/adr/0024).
 * Once for each statement; a commit tells it once.
 */
export class SignInChanges1764000060000 extends ForwardOnly {
  readonly name = 'SignInChanges1764000060000';
  protected readonly statements = `
    create function sign_ins_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('svc_sign_ins', '');
        return null;
      end $$;
    create trigger oauth_tokens_changed after update or delete or truncate on oauth_tokens
      for each statement execute function sign_ins_changed();
    create trigger users_access_changed
      after update of is_admin, is_moderator, is_confirmed, is_approved, password_reset_required or delete or truncate on users
      for each statement execute function sign_ins_changed();
    create trigger accounts_access_changed after update of deactivated_at or truncate on accounts
      for each statement execute function sign_ins_changed();
  `;
}
