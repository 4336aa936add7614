import { type Handle, isBlank, TextWorkers } from '../../common/index.js';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../platform/index.js';
import { AccountsService } from '../core/accounts.service.js';

/** Formats bios and profile fields, with links to the accounts they mention. */
@Injectable()
export class ProfileText {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly accounts: AccountsService,
    private readonly texts: TextWorkers,
  ) {}

  /** A bio as sanitised HTML. One statement when it mentions an account, none otherwise. */
  async bioHtml(source: string): Promise<string> {
    const handles = await this.texts.findMentions(source, 'text/plain');
    const known = await this.accounts.known(handles);
    const resolve = { mention: (handle: Handle) => known.mention(handle), baseUrl: this.env.baseUrl };
    return (await this.texts.format(source, 'text/plain', { handles, resolve })).html;
  }

  /** The values of profile fields as sanitised HTML. */
  fieldsHtml(values: readonly string[]): Promise<string[]> {
    return this.texts.run('formatFields', values);
  }
}

/** A display name as stored: trimmed, and empty when it has no visible character (threat U3). */
export function displayNameOf(text: string): string {
  return isBlank(text) ? '' : text.trim();
}
