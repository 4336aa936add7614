import { ForwardOnly } from '../forward-only.js';

/**
 * Finds the accounts that have a file: as a file of a post or a message, or as a picture of a profile. By hash, since
 * addresses may be too long for a tree.
 */
export class FileOwners1764000146000 extends ForwardOnly {
  readonly name = 'FileOwners1764000146000';
  protected readonly statements = `
    create index attachments_file on attachments using hash (file_key) where file_key is not null;
    create index attachments_thumbnail on attachments using hash (thumbnail_key) where thumbnail_key is not null;
    create index attachments_remote on attachments using hash (remote_url) where remote_url is not null;
    create index accounts_avatar on accounts using hash (avatar_url) where avatar_url is not null;
    create index accounts_header on accounts using hash (header_url) where header_url is not null;
    create index accounts_background on accounts using hash (background_url) where background_url is not null;`;
}
