import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Who did what the moderation log tells of: the `Auth` of a request, or the operator. */
export interface Actor {
  /** The account of the caller; null for the operator. */
  readonly accountId: string | null;
}

/** Writes entries of the moderation log. */
export interface LogWriter {
  /** Inside the unit of work of the action, so that an action that fails leaves no entry. */
  record(
    actor: Actor,
    action: 'config_update' | 'restart' | 'status_delete',
    subjects: readonly { readonly type: string; readonly id: string }[],
  ): Promise<void>;
}

/** The moderation log for modules to the left of admin, which it belongs to. */
@Injectable()
export class ModerationLog extends Port<LogWriter> implements LogWriter {
  record(...entry: Parameters<LogWriter['record']>): Promise<void> {
    return this.filler().record(...entry);
  }
}
