import { Param, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  Invalid,
  IsReferenceApp,
  Json,
  RateLimit,
  Scopes,
  Summary,
} from '../../common/index.js';
import { AccountNotesService } from './account-notes.service.js';
import { BlockBody, FollowBody, MuteBody, NoteBody } from './relationships.dto.js';
import { BlocksService } from './blocks.service.js';
import { EndorsementsService } from './endorsements.service.js';
import { FollowsService } from './follows.service.js';
import { RelationshipChanges } from './relationship-changes.js';
import { RelationshipShape } from '../model/relationship.shape.js';

/** Changes of the caller's relationship to an account (spec §4.3). Each returns the new relationship. */
@ClientApi('v1', 'accounts')
export class RelationshipsController {
  constructor(
    private readonly follows: FollowsService,
    private readonly blocks: BlocksService,
    private readonly notes: AccountNotesService,
    private readonly endorsements: EndorsementsService,
    private readonly changes: RelationshipChanges,
  ) {}

  /** The reference does not wait for the other server: it shows a follow of an unlocked account as accepted. */
  @Summary('Follows an account, asks to follow it if it is locked, or changes the options of a follow.')
  @Post(':id/follow')
  @Scopes('follow', 'write:follows')
  @RateLimit('relations_actions', 'relation_id_action', 'follows')
  @Answers(RelationshipShape)
  follow(
    @CurrentAccount() me: string,
    @Param('id') id: string,
    @Input(FollowBody) input: FollowBody,
    @IsReferenceApp() isReferenceApp: boolean,
  ): Promise<Json> {
    const options = input.options();
    return this.changes.makeShown(me, id, async (target) => {
      const { isLocked } = await this.follows.follow(me, target, options);
      return { asAccepted: isReferenceApp && !isLocked };
    });
  }

  @Summary('Unfollows an account, or takes back the request to follow it.')
  @Post(':id/unfollow')
  @Scopes('follow', 'write:follows')
  @RateLimit('relations_actions', 'relation_id_action')
  @Answers(RelationshipShape)
  unfollow(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, async (target) => {
      if (!(await this.follows.unfollow(me, target))) throw new Invalid('Not subscribed!');
    });
  }

  @Summary("Removes an account from the caller's followers, without a block.")
  @Post(':id/remove_from_followers')
  @Scopes('follow', 'write:follows')
  @Answers(RelationshipShape)
  removeFromFollowers(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, (target) => this.follows.removeFollower(me, target));
  }

  @Summary('Blocks an account, for good or for a time, and ends the follows between it and the caller.')
  @Post(':id/block')
  @Scopes('follow', 'write:blocks')
  @Answers(RelationshipShape)
  block(@CurrentAccount() me: string, @Param('id') id: string, @Input(BlockBody) input: BlockBody): Promise<Json> {
    return this.changes.make(me, id, (target) => this.blocks.block(me, target, { expiresIn: termOf(input) }));
  }

  @Summary('Unblocks an account; former follows do not come back.')
  @Post(':id/unblock')
  @Scopes('follow', 'write:blocks')
  @Answers(RelationshipShape)
  unblock(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, (target) => this.blocks.unblock(me, target));
  }

  @Summary('Mutes an account, for good or for a time, with or without its notifications.')
  @Post(':id/mute')
  @Scopes('follow', 'write:mutes')
  @Answers(RelationshipShape)
  mute(@CurrentAccount() me: string, @Param('id') id: string, @Input(MuteBody) input: MuteBody): Promise<Json> {
    const { notifications } = input;
    return this.changes.make(me, id, (target) =>
      this.blocks.mute(me, target, { notifications, expiresIn: termOf(input) }),
    );
  }

  @Summary('Unmutes an account.')
  @Post(':id/unmute')
  @Scopes('follow', 'write:mutes')
  @Answers(RelationshipShape)
  unmute(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, (target) => this.blocks.unmute(me, target));
  }

  @Summary("Sets the caller's private note about an account; an empty one removes it.")
  @Post(':id/note')
  @Scopes('write:accounts')
  @Answers(RelationshipShape)
  note(@CurrentAccount() me: string, @Param('id') id: string, @Input(NoteBody) { comment }: NoteBody): Promise<Json> {
    return this.changes.make(me, id, (target) => this.notes.write(me, target, comment));
  }

  /** `pin` is the older name of `endorse`. */
  @Summary("Features an account on the caller's profile; the caller must follow it.")
  @Post([':id/pin', ':id/endorse'])
  @Scopes('write:accounts')
  @Answers(RelationshipShape)
  endorse(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, (target) => this.endorsements.endorse(me, target));
  }

  @Summary("Stops featuring an account on the caller's profile.")
  @Post([':id/unpin', ':id/unendorse'])
  @Scopes('write:accounts')
  @Answers(RelationshipShape)
  unendorse(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, (target) => this.endorsements.unendorse(me, target));
  }
}

/** Seconds. `expires_in` is the older name (spec §9.3). */
function termOf({ duration, expires_in }: BlockBody): number | undefined {
  return duration ?? expires_in;
}
