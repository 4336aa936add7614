import { ForwardOnly } from '../forward-only.js';

/**
 * Posts of this server name the address of the remote post that they answer, so that they are found when that was deleted and
 * its server restores it. Of those whose parent is gone already it is not known.
 */
export class AnsweredPosts1764000338000 extends ForwardOnly {
  readonly name = 'AnsweredPosts1764000338000';
  protected readonly statements = `
    update statuses s set in_reply_to_uri = parent.uri from statuses parent
    where parent.id = s.in_reply_to_id and s.local and not parent.local and s.in_reply_to_uri is null;`;
}
