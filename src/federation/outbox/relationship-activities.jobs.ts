import { Injectable } from '@nestjs/common';
import { Blocked, Followed, Unblocked, Unfollowed } from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';
import { RelationshipActivitiesService } from './relationship-activities.service.js';

interface BlockParties {
  readonly actorLocal: boolean;
  readonly targetLocal: boolean;
}

const goesOut = ({ actorLocal, targetLocal }: BlockParties) => actorLocal && !targetLocal;

/** A follow request of a local account, or the consent of a local account; the remote server sends the other two. */
const isSentFromHere = ({ localFollower, localFollowee, accepted }: Followed) =>
  localFollower !== localFollowee && accepted === localFollowee;

const isBetweenServers = ({ localFollower, localFollowee }: Unfollowed) => localFollower !== localFollowee;

/** Tells other servers of follows and blocks. */
@Injectable()
export class RelationshipActivitiesJobs {
  constructor(private readonly relationships: RelationshipActivitiesService) {}

  @Subscribes(Followed, { job: 'federation.send-follow', queue: 'federate', when: isSentFromHere })
  async onFollowed({ followerId, followeeId, localFollower }: Followed): Promise<void> {
    if (localFollower) await this.relationships.sendFollow(followerId, followeeId);
    else await this.relationships.sendAccept(followerId, followeeId);
  }

  @Subscribes(Unfollowed, { job: 'federation.undo-follow', queue: 'federate', when: isBetweenServers })
  async onUnfollowed(event: Unfollowed): Promise<void> {
    if (event.localFollower) await this.relationships.undoFollow(event);
    else if (event.endedBy === 'followee') await this.relationships.sendReject(event);
  }

  @Subscribes(Blocked, { job: 'federation.send-block', queue: 'federate', when: goesOut })
  async onBlocked({ accountId, targetId }: Blocked): Promise<void> {
    await this.relationships.sendBlock(accountId, targetId);
  }

  @Subscribes(Unblocked, { job: 'federation.undo-block', queue: 'federate', when: goesOut })
  async onUnblocked({ accountId, targetId }: Unblocked): Promise<void> {
    await this.relationships.sendBlock(accountId, targetId);
  }
}
