import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { StatusRow } from '../core/status.repository.js';

/** Finds posts by address. */
export interface StatusResolver {
  /**
   * Finds a local or remote post by its URI, by the URL of its page, or by that of an activity about it. A remote one takes
   * the newer text of its server. Undefined when it does not exist or a fetch fails.
   */
  resolve(uri: string): Promise<StatusRow | undefined>;
}

/**
 * Finds posts that may be remote and not stored yet. Federation fills the port. Callers check whether the viewer may
 * see the post. Not inside a unit of work.
 */
@Injectable()
export class RemoteStatusLookup extends Port<StatusResolver> implements StatusResolver {
  resolve(uri: string): Promise<StatusRow | undefined> {
    return this.filler().resolve(uri);
  }
}
