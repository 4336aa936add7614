import { Inject, Injectable } from '@nestjs/common';
import { findMentions, formatBio, type ResolvedMention } from '../common/index.js';
import { ENV, type Env } from '../platform/index.js';
import { AccountRepository } from './account.repository.js';
import type { AccountRow } from './account.rows.js';
import { type Handle, localDomains } from './nickname.js';

/** Formats what people write about themselves, with links to the accounts they name. */
@Injectable()
export class ProfileText {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly accounts: AccountRepository,
  ) {}

  /** A bio as sanitised HTML. One statement when it names anybody, none otherwise. */
  async bioHtml(source: string): Promise<string> {
    const known = await this.mentioned(source);
    const mention = (handle: Handle) => known.get(handleKey(this.ours(handle)));
    const tagUrl = (name: string) => `${this.env.baseUrl}/tag/${encodeURIComponent(name)}`;
    return formatBio(source, { mention, tagUrl }).html;
  }

  private async mentioned(source: string): Promise<Map<string, ResolvedMention>> {
    const handles = findMentions(source, 'text/plain').map((handle) => this.ours(handle));
    const rows = handles.length === 0 ? [] : await this.accounts.byHandles(handles);
    return new Map(
      rows.map((row) => [handleKey({ username: row.nickname, domain: row.domain ?? undefined }), resolved(row)]),
    );
  }

  private ours({ username, domain }: Handle): Handle {
    return domain !== undefined && localDomains(this.env).includes(domain) ? { username } : { username, domain };
  }
}

function handleKey({ username, domain = '' }: Handle): string {
  return `${username}@${domain}`.toLowerCase();
}

function resolved({ id, ap_id, url, nickname, domain }: AccountRow): ResolvedMention {
  const acct = domain === null ? nickname : `${nickname}@${domain}`;
  return { accountId: id, url: url ?? ap_id, username: nickname, acct };
}
