import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { ViewContext } from '../../accounts/index.js';
import type { Json } from '../../common/index.js';

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
export class ReportBodies implements OnApplicationBootstrap {
  private renderer: ReportRenderer | undefined;

  use(renderer: ReportRenderer): void {
    this.renderer = renderer;
  }

  onApplicationBootstrap(): void {
    this.filled();
  }

  many(ids: readonly string[], context: ViewContext): Promise<ReadonlyMap<string, Json>> {
    return this.filled().many(ids, context);
  }

  private filled(): ReportRenderer {
    if (!this.renderer) throw new Error('Nobody fills the port ReportBodies');
    return this.renderer;
  }
}
