import { Delete, Get, Post } from '@nestjs/common';
import { Type } from 'typebox';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  BooleanLike,
  CurrentAuth,
  Describe,
  Described,
  Input,
  Json,
  RequiredText,
  Summary,
  TextShape,
} from '../../common/index.js';
import { type Relay, RelaysService } from '../../federation/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

const MAX_URL = 2_000;

const RelayShape = Type.Object(
  {
    actor: Described(Type.String(), "The address of the relay's actor."),
    followed_back: Described(Type.Boolean(), 'Whether the relay follows this server.'),
  },
  { additionalProperties: false, title: 'Relay' },
);

class RelayBody {
  @Describe("The address of the relay's actor.")
  @RequiredText({ max: MAX_URL })
  relay_url: string;
}

class UnfollowedRelayQuery extends RelayBody {
  @Describe('Has no effect: nothing is fetched to unfollow.')
  @BooleanLike()
  force = false;
}

/** `A/relay` (spec §4.1.3). */
@AdminApi('relay')
export class AdminRelaysController {
  constructor(
    private readonly relays: RelaysService,
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
  ) {}

  @Summary('Lists the relays that this server follows.')
  @Get()
  @AdminOnly('admin:read')
  @Answers([RelayShape])
  async list(): Promise<Json> {
    return Json.of((await this.relays.list()).map(relayJson));
  }

  @Summary('Follows a relay.')
  @Post()
  @AdminOnly('admin:write:follows')
  @Answers(RelayShape)
  async follow(@CurrentAuth() actor: Auth, @Input(RelayBody) { relay_url: url }: RelayBody): Promise<Json> {
    const record = () => this.log.record(actor, 'relay_follow', { type: 'relay', id: url });
    return Json.of(relayJson(await this.relays.follow(url, record)));
  }

  @Summary('Unfollows a relay, and returns its address.')
  @Delete()
  @AdminOnly('admin:write:follows')
  @Answers(TextShape)
  async unfollow(
    @CurrentAuth() actor: Auth,
    @Input(UnfollowedRelayQuery) { relay_url: url }: UnfollowedRelayQuery,
  ): Promise<Json> {
    await this.uow.run(async () => {
      await this.relays.unfollow(url);
      await this.log.record(actor, 'relay_unfollow', { type: 'relay', id: url });
    });
    return Json.of(url);
  }
}

function relayJson({ address: actor, state }: Relay) {
  return { actor, followed_back: state === 'accepted' };
}
