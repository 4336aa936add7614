import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** A stored file by its key, or a file of another server by its URL. */
export type OwnedFile = { readonly key: string } | { readonly url: string };

/**
 * What follows for a file from the accounts that have it, as a file of a post or a message or as a profile picture:
 * `hidden` when none of them is visible, `settled` when a visible local one without restrictions has it, `revocable`
 * otherwise, also for a file that no account has.
 */
export type FileStanding = 'hidden' | 'revocable' | 'settled';

/** Knows the accounts that have a file. */
export interface FileOwnership {
  standingOf(file: OwnedFile): Promise<FileStanding>;
}

/** Which files may be served and cached is a question about accounts, which stand to the right of media: hence this port. */
@Injectable()
export class FileOwners extends Port<FileOwnership> implements FileOwnership {
  standingOf(file: OwnedFile): Promise<FileStanding> {
    return this.filler().standingOf(file);
  }
}
