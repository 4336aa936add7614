import { ForwardOnly } from '../forward-only.js';

/** Finds the followers on other servers, however many are here. */
export class RemoteFollowersIndex1764000229201 extends ForwardOnly {
  readonly name = 'RemoteFollowersIndex1764000229201';
  protected readonly statements = `
    create index follows_remote_followers on follows (followee_id, follower_id) where state = 1 and remote_follower;`;
}
