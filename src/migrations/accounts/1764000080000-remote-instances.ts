import { ForwardOnly } from '../forward-only.js';

/** The table of remote servers gets the name that the API uses. */
export class RemoteInstances1764000080000 extends ForwardOnly {
  readonly name = 'RemoteInstances1764000080000';
  protected readonly statements = `
    alter table host_facts rename to remote_instances;
    alter index host_facts_pkey rename to remote_instances_pkey;
    alter index host_facts_due rename to remote_instances_due;
  `;
}
