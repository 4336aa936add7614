import { ForwardOnly } from '../forward-only.js';

/** The people who block a server: a stream asks for those of a post, which are few, and not each of its readers. */
export class BlockersOfDomains1764000290000 extends ForwardOnly {
  readonly name = 'BlockersOfDomains1764000290000';
  protected readonly statements = `
    create index domain_blocks_domain on domain_blocks (domain);
  `;
}
