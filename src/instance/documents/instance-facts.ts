import type { Json } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import type { Env } from '../../platform/index.js';
import type { RuleRow } from '../rules/rules.repository.js';
import type { Totals } from '../figures/totals.repository.js';

/** The stored data of the server's documents. */
export interface InstanceFacts {
  readonly env: Env;
  /** The word that stands for `svc`. */
  readonly brand: string;
  readonly settings: Settings;
  readonly totals: Totals;
  /** The contact account; null when no administrator is publicly shown. */
  readonly contact: Json | null;
  /** The key for web push subscriptions of apps. */
  readonly vapidKey: string;
  /** In display order. */
  readonly rules: readonly RuleRow[];
  /** ActivityPub ids of the publicly shown staff. */
  readonly staff: readonly string[];
}
