import { ForwardOnly } from '../forward-only.js';

/** Finds the account whose file a picture stands for: those of deactivated accounts are not served. */
export class RemotePreviewsIndex1764000191001 extends ForwardOnly {
  readonly name = 'RemotePreviewsIndex1764000191001';
  protected readonly statements = `
    create index attachments_remote_preview on attachments using hash (remote_preview_url) where remote_preview_url is not null;`;
}
