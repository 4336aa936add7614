import { ForwardOnly } from '../forward-only.js';

/** Each process sweeps its own folders: nobody handles these jobs any more. */
export class LocalSweeps1764000310000 extends ForwardOnly {
  readonly name = 'LocalSweeps1764000310000';
  protected readonly statements = `
    delete from jobs
    where key in ('recurring:media.sweep-proxy', 'recurring:uploads.sweep', 'recurring:emoji.sweep-drafts');
  `;
}
