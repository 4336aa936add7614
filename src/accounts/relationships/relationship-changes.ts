import { Injectable } from '@nestjs/common';
import { type Json, NotFound } from '../../common/index.js';
import { AccountsService } from '../core/accounts.service.js';
import { type RelationshipOptions, RelationshipView } from '../rendering/relationship.view.js';

type Act = (targetId: string) => Promise<unknown>;

/** The common frame of relationship changes: the path names the account, the answer is the new relationship. */
@Injectable()
export class RelationshipChanges {
  constructor(
    private readonly accounts: AccountsService,
    private readonly view: RelationshipView,
  ) {}

  /** Changes the caller's relationship to the account with an id or nickname. Throws NotFound for hidden accounts. */
  async make(me: string, idOrNickname: string, act: Act): Promise<Json> {
    const { id } = await this.accounts.visible(idOrNickname, me);
    await act(id);
    return this.shown(me, id);
  }

  /** Like {@link make}; `act` says how the new relationship is shown. */
  async makeShown(
    me: string,
    idOrNickname: string,
    act: (targetId: string) => Promise<RelationshipOptions>,
  ): Promise<Json> {
    const { id } = await this.accounts.visible(idOrNickname, me);
    return this.shown(me, id, await act(id));
  }

  /** Decides a request of the account, which must exist. Throws NotFound. */
  async decide(me: string, idOrNickname: string, act: Act): Promise<Json> {
    const { id } = await this.accounts.owner(idOrNickname, me);
    await act(id);
    return this.shown(me, id);
  }

  /** The caller's relationship to an account. */
  async shown(me: string, targetId: string, options?: RelationshipOptions): Promise<Json> {
    const [relationship] = await this.view.many(me, [targetId], options);
    if (!relationship) throw new NotFound(); // the account was erased meanwhile
    return relationship;
  }
}
