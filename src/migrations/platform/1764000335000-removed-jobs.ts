import { ForwardOnly } from '../forward-only.js';

/** Nobody handles these jobs any more: keys are removed by federation, and boosts of blocked authors stay in feeds. */
export class RemovedJobs1764000335000 extends ForwardOnly {
  readonly name = 'RemovedJobs1764000335000';
  protected readonly statements = `
    delete from jobs where key = 'recurring:accounts.remove-keys' or name = 'feeds.block';
  `;
}
