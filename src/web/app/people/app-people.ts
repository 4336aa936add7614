import { Injectable } from '@nestjs/common';
import {
  type AccountJson,
  type AccountRow,
  AccountsService,
  AccountView,
  type RelationshipJson,
} from '../../../accounts/index.js';
import { type Auth, extensionOf, type Json, type Translator } from '../../../common/index.js';
import type { ListedPerson } from '../../parts/listed-people.part.js';
import { shownPerson, type ShownProfile, shownProfile } from '../../parts/shown.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { objectOf } from '../../parts/rendered.js';

/** An account as a signed-in person sees it, with what is between the two. */
export interface ShownMember {
  readonly profile: ShownProfile;
  /** Undefined for the person's own account. */
  readonly relationship: RelationshipJson | undefined;
  /** Null for an account of this server. */
  readonly domain: string | null;
  readonly isGroup: boolean;
  readonly isMemorial: boolean;
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
  /** Only administrators see the account while it is deactivated. */
  readonly isDeactivated: boolean;
  readonly acceptsChats: boolean;
  /** `YYYY-MM-DD`, if the owner shows it. */
  readonly birthday: string | undefined;
}

/** An account in a list, with what is between it and the viewer. */
export interface ListedMember extends ListedPerson {
  readonly relationship: RelationshipJson | undefined;
  /** When a block or mute ends; null for no end, undefined in other lists. */
  readonly endsAt: string | null | undefined;
}

/** Shows accounts to a signed-in person, as the API does. */
@Injectable()
export class AppPeople {
  constructor(
    private readonly accounts: AccountsService,
    private readonly view: AccountView,
    private readonly statuses: AppStatuses,
  ) {}

  /**
   * The account with an id or a handle. Another server is asked for an unknown handle. Administrators also get hidden
   * accounts. Not inside a unit of work.
   * @throws NotFound for unknown and hidden accounts
   */
  async find(idOrHandle: string, { accountId, isAdmin }: Auth): Promise<AccountRow> {
    const viewerId = accountId ?? undefined;
    const options = { seesAll: isAdmin };
    return /.@/.test(idOrHandle)
      ? this.accounts.lookUp(idOrHandle, viewerId, options)
      : this.accounts.visible(idOrHandle, viewerId, options);
  }

  /** The account, ready to be shown. */
  async member(row: AccountRow, { accountId, isAdmin, isModerator }: Auth): Promise<ShownMember> {
    const viewerId = accountId ?? undefined;
    const context = { viewerId, isStaff: isAdmin || isModerator, withRelationships: true };
    const account = await this.view.object(row, context);
    const own = extensionOf<AccountJson['svc']>(account, this.statuses.context.brand);
    const isOwn = row.id === viewerId;
    const profile = shownProfile(account, this.statuses.context);
    const counts = { followers: account.followers_count, following: account.following_count };
    return {
      profile: isOwn ? { ...profile, ...counts } : profile,
      relationship: isOwn ? undefined : relationshipIn(own),
      domain: row.domain,
      isGroup: account.group,
      isMemorial: account.memorial,
      isAdmin: own.is_admin ?? false,
      isModerator: own.is_moderator ?? false,
      isDeactivated: own.deactivated,
      acceptsChats: own.accepts_chat_messages ?? false,
      birthday: own.birthday,
    };
  }

  /** The accounts of a list, with a note of who follows the viewer. */
  listed(t: Translator, accounts: readonly Json[]): ListedMember[] {
    return accounts.map((json) => {
      const account = objectOf<AccountJson>(json);
      const relationship = relationshipIn(extensionOf<AccountJson['svc']>(account, this.statuses.context.brand));
      return {
        person: shownPerson(account, this.statuses.context),
        relationship,
        note: relationship?.followed_by === true ? t.text('people.follows-you') : undefined,
        endsAt: account.block_expires_at === undefined ? account.mute_expires_at : account.block_expires_at,
      };
    });
  }
}

/** Undefined where the API shows none. */
function relationshipIn({ relationship }: AccountJson['svc']): RelationshipJson | undefined {
  return 'id' in relationship ? relationship : undefined;
}
