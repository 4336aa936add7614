import { brandKey } from '../common/index.js';

/** What apps may rely on here, under the names they look for. Whoever adds such a feature adds its name. */
const FEATURES = ['mastodon_api', 'multifetch', 'svc_api'] as const;

/** The features of this server, their names under its brand. */
export function featureNames(brand: string): string[] {
  return FEATURES.map((name) => brandKey(brand, name));
}
