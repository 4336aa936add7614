import { ForwardOnly } from '../forward-only.js';

/** Finds threads with a post of this server: their remote posts are kept. */
export class LocalThreads1764000228000 extends ForwardOnly {
  readonly name = 'LocalThreads1764000228000';
  protected readonly statements = `
    create index statuses_local_threads on statuses (conversation_id) where local and conversation_id is not null;`;
}
