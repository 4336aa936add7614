import { ForwardOnly } from '../forward-only.js';

/** Posts of other servers arrive in any order: a reply may come before its parent, a quote before what it quotes. */
export class RemotePosts1763900040000 extends ForwardOnly {
  readonly name = 'RemotePosts1763900040000';
  protected readonly statements = `
    alter table statuses add column in_reply_to_uri text;
  `;
}
