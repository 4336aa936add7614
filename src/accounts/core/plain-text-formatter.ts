import { Inject, Injectable } from '@nestjs/common';
import { type FormattedText, type Handle, TextWorkers } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { AccountsService } from './accounts.service.js';

/** Formats typed texts without markup, such as bios and announcements, with links to the accounts they mention. */
@Injectable()
export class PlainTextFormatter {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly accounts: AccountsService,
    private readonly texts: TextWorkers,
  ) {}

  /** One statement when the text mentions an account, none otherwise. Long texts wait for others: not inside a unit of work. */
  async format(source: string): Promise<FormattedText> {
    const handles = await this.texts.findMentions(source, 'text/plain');
    const known = await this.accounts.known(handles);
    const resolve = { mention: (handle: Handle) => known.mention(handle), baseUrl: this.env.baseUrl };
    return this.texts.format(source, 'text/plain', { handles, resolve });
  }
}
