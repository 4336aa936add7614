import { ForwardOnly } from '../forward-only.js';

/** Keeps the pictures that stand for videos and recordings of other servers. */
export class RemotePreviews1764000191000 extends ForwardOnly {
  readonly name = 'RemotePreviews1764000191000';
  protected readonly statements = `alter table attachments add column remote_preview_url text;`;
}
