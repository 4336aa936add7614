import { Injectable } from '@nestjs/common';
import type { ViewContext } from '../../accounts/index.js';
import type { Json } from '../../common/index.js';
import { Port } from '../../platform/index.js';

/** Renders reports as staff sees them. */
export interface ReportRenderer {
  /** By their ids; unknown ones are left out. */
  many(ids: readonly string[], context: ViewContext): Promise<ReadonlyMap<string, Json>>;
}

/**
 * What a notification about a report shows of it. Reports stand to the right of notifications, hence this port, which their
 * module fills when it starts (docs/adr/0014).
 */
@Injectable()
export class ReportBodies extends Port<ReportRenderer> {
  many(ids: readonly string[], context: ViewContext): Promise<ReadonlyMap<string, Json>> {
    return this.filler().many(ids, context);
  }
}
