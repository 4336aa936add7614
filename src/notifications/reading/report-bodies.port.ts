import { Injectable } from '@nestjs/common';
import type { ViewContext } from '../../accounts/index.js';
import type { Json } from '../../common/index.js';
import { Port } from '../../platform/index.js';

/** Renders reports as staff sees them. */
export interface ReportRenderer {
  /** Renders reports by id; leaves out unknown ids. */
  many(ids: readonly string[], context: ViewContext): Promise<ReadonlyMap<string, Json>>;
}

/**
 * Renders the reports in notifications. The module of reports comes after notifications in the module order, so it
 * fills this port when it starts (docs/adr/0014).
 */
@Injectable()
export class ReportBodies extends Port<ReportRenderer> {
  many(ids: readonly string[], context: ViewContext): Promise<ReadonlyMap<string, Json>> {
    return this.filler().many(ids, context);
  }
}
