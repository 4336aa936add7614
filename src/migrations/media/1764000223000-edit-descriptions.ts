import { ForwardOnly } from '../forward-only.js';

/** Earlier versions of a post keep the descriptions of their files. */
export class EditDescriptions1764000223000 extends ForwardOnly {
  readonly name = 'EditDescriptions1764000223000';
  protected readonly statements = `
    alter table status_edits add column attachment_descriptions text[];`;
}
