import { Injectable } from '@nestjs/common';
import type { OutboundHeaders } from '../../platform/index.js';
import { FollowersDigests } from '../documents/followers-digests.js';
import { SYNCHRONIZATION, writeSynchronization } from '../wire/followers-digest.js';
import { followersOf, PUBLIC, synchronizationOf } from '../wire/uris.js';
import { readDocument } from '../wire/values.js';
import type { DueDelivery } from './deliveries.repository.js';

/** Tells a server which of its accounts follow the author of what is for followers only (FEP-8fcf). */
@Injectable()
export class FollowersHeader {
  constructor(private readonly digests: FollowersDigests) {}

  /** The header of a delivery; none for what is not for followers only. */
  async of({ accountId, body }: DueDelivery, host: string): Promise<OutboundHeaders> {
    const actor = accountId === null ? undefined : followersOnlyActor(body);
    if (actor === undefined || accountId === null) return {};
    const claim = { digest: await this.digests.ofHost(accountId, host), url: synchronizationOf(actor) };
    return { [SYNCHRONIZATION]: writeSynchronization(followersOf(actor), claim) };
  }
}

/** The actor of an activity that is for followers, and not for everybody. */
function followersOnlyActor(body: string): string | undefined {
  if (body.includes(PUBLIC)) return undefined;
  const { actor, to, cc } = readDocument(body) ?? {};
  return typeof actor === 'string' && [to, cc].flat().includes(followersOf(actor)) ? actor : undefined;
}
