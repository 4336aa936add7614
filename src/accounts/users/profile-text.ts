import { isBlank, findMentions, formatBio, tagUrl } from '../../common/index.js';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../platform/index.js';
import { AccountsService } from '../core/accounts.service.js';

/** Formats bios and profile fields, with links to the accounts they mention. */
@Injectable()
export class ProfileText {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly accounts: AccountsService,
  ) {}

  /** A bio as sanitised HTML. One statement when it mentions an account, none otherwise. */
  async bioHtml(source: string): Promise<string> {
    const known = await this.accounts.known(findMentions(source, 'text/plain'));
    return formatBio(source, {
      mention: (handle) => known.mention(handle),
      tagUrl: (name) => tagUrl(this.env.baseUrl, name),
    }).html;
  }
}

/** A display name as stored: trimmed, and empty when it has no visible character (threat U3). */
export function displayNameOf(text: string): string {
  return isBlank(text) ? '' : text.trim();
}
