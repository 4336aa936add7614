import type { Json } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import type { Env } from '../../platform/index.js';
import type { RuleRow } from '../rules/rules.repository.js';
import type { Totals } from '../figures/totals.repository.js';

/** All that the descriptions of this server are made of. */
export interface InstanceFacts {
  readonly env: Env;
  readonly settings: Settings;
  readonly totals: Totals;
  /** The account people turn to; null when no administrator shows that they are one. */
  readonly contact: Json | null;
  /** With which apps subscribe to web push. */
  readonly vapidKey: string;
  /** In the order in which they are shown. */
  readonly rules: readonly RuleRow[];
  /** ActivityPub ids of those who run the server and show it. */
  readonly staff: readonly string[];
}
