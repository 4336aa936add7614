import { ForwardOnly } from '../forward-only.js';

/** The kinds of mails that a user does not want any more. */
export class MutedMails1764000020001 extends ForwardOnly {
  readonly name = 'MutedMails1764000020001';
  protected readonly statements = `
    alter table users add column muted_mails text[] not null default '{}';
  `;
}
