import { Injectable } from '@nestjs/common';
import { type Json, NotFound } from '../../common/index.js';
import { AccountsService } from '../core/accounts.service.js';
import { RelationshipView } from '../rendering/relationship.view.js';

type Act = (targetId: string) => Promise<void>;

/** What all changes of relationships share: the path names the account, the answer is the relationship as it is then. */
@Injectable()
export class RelationshipChanges {
  constructor(
    private readonly accounts: AccountsService,
    private readonly view: RelationshipView,
  ) {}

  /** Changes how the caller stands to the account with an id or nickname. Throws NotFound when nobody sees it. */
  async make(me: string, idOrNickname: string, act: Act): Promise<Json> {
    const { id } = await this.accounts.visible(idOrNickname, me);
    await act(id);
    return this.shown(me, id);
  }

  /** Decides about what the account asked for; who does not exist asked for nothing. Throws NotFound. */
  async decide(me: string, idOrNickname: string, act: Act): Promise<Json> {
    const { id } = await this.accounts.owner(idOrNickname, me);
    await act(id);
    return this.shown(me, id);
  }

  /** How the caller stands to an account. */
  async shown(me: string, targetId: string): Promise<Json> {
    const [relationship] = await this.view.many(me, [targetId]);
    if (!relationship) throw new NotFound(); // erased at this very moment
    return relationship;
  }
}
