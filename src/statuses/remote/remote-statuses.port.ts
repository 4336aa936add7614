import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { StatusRow } from '../core/status.repository.js';

/** Finds posts by address. */
export interface StatusResolver {
  /** The post with a URI or the address of its page, local ones included. Undefined when there is none, or none to fetch. */
  resolve(uri: string): Promise<StatusRow | undefined>;
}

/**
 * Finds posts that may be remote and not stored yet. Federation fills the port. Callers check whether
 * the viewer may see the post. Never inside a unit of work.
 */
@Injectable()
export class RemoteStatuses extends Port<StatusResolver> implements StatusResolver {
  resolve(uri: string): Promise<StatusRow | undefined> {
    return this.filler().resolve(uri);
  }
}
