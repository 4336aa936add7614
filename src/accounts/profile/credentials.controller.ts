import { Get, Patch } from '@nestjs/common';
import {
  AcceptsFiles,
  Answers,
  type Auth,
  ClientApi,
  CurrentAccount,
  CurrentAuth,
  FormRefusals,
  Input,
  Invalid,
  IsReferenceApp,
  type Json,
  meantVisibility,
  Scopes,
} from '../../common/index.js';
import { AccountView } from '../rendering/account.view.js';
import { UpdateCredentialsBody } from './profile.dto.js';
import { type ProfileChanges, ProfileService } from './profile.service.js';
import { UsersService } from '../users/users.service.js';
import { CredentialAccountShape } from '../model/account.shape.js';

/** The pictures of a profile, as files or as `data:` URIs. */
export const PROFILE_FILES = {
  maxBytes: { avatar: 'avatar', header: 'banner', svc_background_image: 'background' },
  dataUris: true,
} as const;

/** The caller's own account and profile (spec §4.3). */
@ClientApi('v1', '')
export class CredentialsController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly users: UsersService,
    private readonly view: AccountView,
  ) {}

  @Get('accounts/verify_credentials')
  @Scopes('profile', 'read:accounts')
  @Answers(CredentialAccountShape)
  verify(@CurrentAccount() accountId: string, @CurrentAuth() { tokenId, scopes }: Auth): Promise<Json> {
    const readsAccount = scopes.includes('read') || scopes.includes('read:accounts'); // `profile` tells only who it is
    return this.view.own(accountId, {
      settingsStore: readsAccount,
      chatTokenFor: readsAccount ? tokenId : null,
    });
  }

  @Patch(['accounts/update_credentials', 'update_credentials']) // the latter is the older path (spec §9.4)
  @Scopes('write:accounts')
  @AcceptsFiles(PROFILE_FILES)
  @FormRefusals()
  @Answers(CredentialAccountShape)
  async update(
    @CurrentAccount() accountId: string,
    @IsReferenceApp() isReferenceApp: boolean,
    @Input(UpdateCredentialsBody) input: UpdateCredentialsBody,
  ): Promise<Json> {
    const changes = changesOf(input);
    const { defaultScope } = changes;
    if (isReferenceApp && defaultScope) {
      const { scope } = await this.users.defaults(accountId);
      await this.profiles.update(accountId, { ...changes, defaultScope: meantVisibility(defaultScope, scope) });
    } else await this.profiles.update(accountId, changes);
    return this.view.own(accountId, { settingsStore: true });
  }
}

/** The changes that a form asks for. */
export function changesOf(input: UpdateCredentialsBody): ProfileChanges {
  return {
    displayName: input.display_name,
    note: input.note,
    fields: input.fields_attributes,
    locked: input.locked,
    bot: input.bot,
    actorType: input.actor_type,
    discoverable: input.discoverable,
    indexable: input.indexable,
    attributionDomains: input.attribution_domains,
    hideFollowers: input.hide_followers ?? input.hide_collections,
    hideFollows: input.hide_follows ?? input.hide_collections,
    hideFollowersCount: input.hide_followers_count,
    hideFollowsCount: input.hide_follows_count,
    hideFavorites: input.hide_favorites,
    showRole: input.show_role,
    skipThreadContainment: input.skip_thread_containment,
    acceptsChatMessages: input.accepts_chat_messages,
    alsoKnownAs: input.also_known_as,
    avatarDescription: input.avatar_description,
    headerDescription: input.header_description,
    birthday: input.birthday,
    showBirthday: input.show_birthday,
    defaultScope: input.default_scope ?? input.source?.privacy,
    defaultQuotePolicy: input.source?.quote_policy,
    defaultSensitive: input.source?.sensitive,
    defaultLanguage: input.source?.language,
    noRichText: input.no_rich_text,
    allowFollowingMove: input.allow_following_move,
    locale: input.language,
    settingsStore: storeOf(input.svc_settings_store),
    pictures: { avatar: input.avatar, header: input.header, background: input.svc_background_image },
  };
}

function storeOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw new Invalid('svc_settings_store must be an object');
  return value as Readonly<Record<string, unknown>>;
}
