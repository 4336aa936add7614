import { ForwardOnly } from '../forward-only.js';

/** Some servers name a Follow by its id alone when they accept it. */
export class FollowUris1763900040003 extends ForwardOnly {
  readonly name = 'FollowUris1763900040003';
  protected readonly statements = `
    create index follows_uri on follows (uri) where uri is not null;
  `;
}
