import { Injectable } from '@nestjs/common';
import type { ViewContext } from '../../accounts/index.js';
import type { Json } from '../../common/index.js';
import { Port } from '../../platform/index.js';

/** Renders reports as staff sees them. */
export interface ReportRenderer {
  /** Whether a local account may read reports now. */
  isReader(accountId: string): Promise<boolean>;
  /** Renders reports by id; leaves out unknown ids, and all for an account that may not read them. */
  many(ids: readonly string[], context: ViewContext): Promise<ReadonlyMap<string, Json>>;
}

/**
 * Renders the reports in notifications. The module of reports comes after notifications in the module order, so it
 * fills this port when it starts (docs/adr/0014).
 */
@Injectable()
export class ReportBodies extends Port<ReportRenderer> {
  isReader(accountId: string): Promise<boolean> {
    return this.filler().isReader(accountId);
  }

  many(ids: readonly string[], context: ViewContext): Promise<ReadonlyMap<string, Json>> {
    return this.filler().many(ids, context);
  }
}
