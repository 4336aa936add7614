import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { coversAny } from '../../oauth/index.js';

interface Roles {
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
}

/** The rights of administrators, and of moderators as far as the setting gives them some. */
@Injectable()
export class StaffRights {
  constructor(private readonly settings: Settings) {}

  /** Whether tokens of a user may hold scopes of administration. */
  mayAdminister({ isAdmin, isModerator }: Roles): boolean {
    return isAdmin || (isModerator && this.privileges.length > 0);
  }

  /** Whether an account may use an administrative route with these scopes, independently of the token (threat A7). */
  admits({ isAdmin, isModerator }: Roles, scopes: readonly string[]): boolean {
    return isAdmin || (isModerator && scopes.length > 0 && coversAny(this.privileges, scopes));
  }

  /** Whether moderators may use an administrative route with this scope. */
  admitsModerators(scope: string): boolean {
    return this.admits({ isAdmin: false, isModerator: true }, [scope]);
  }

  /**
   * Like {@link admits}, and the token has one of the scopes where `auth.enforce_oauth_admin_scope_usage` asks for it
   * (spec §5.3).
   */
  admitsWithToken(auth: Roles & { readonly scopes: readonly string[] }, scopes: readonly string[]): boolean {
    const isTokenAsked = this.settings.get('auth.enforce_oauth_admin_scope_usage');
    return this.admits(auth, scopes) && (!isTokenAsked || coversAny(auth.scopes, scopes));
  }

  private get privileges(): readonly string[] {
    return this.settings.get('instance.moderator_privileges');
  }
}
