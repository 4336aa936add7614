import { ForwardOnly } from '../forward-only.js';

const MEDIA = 1;

/** Files behind a content warning are sensitive: so are those of posts that were written here before that was the rule. */
export class WarnedFiles1764000186000 extends ForwardOnly {
  readonly name = 'WarnedFiles1764000186000';
  protected readonly statements = `
    update statuses set sensitive = true, version = version + 1
      where local and not sensitive and spoiler <> '' and flags & ${MEDIA} <> 0;`;
}
