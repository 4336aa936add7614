import { Injectable } from '@nestjs/common';
import { AccountNoteRepository } from './account-note.repository.js';

/** What accounts note about others; nobody else is shown it (threat V12). */
@Injectable()
export class AccountNotesService {
  constructor(private readonly repository: AccountNoteRepository) {}

  /** Replaces the note about an account; an empty one takes it away. */
  async write(accountId: string, targetId: string, comment: string): Promise<void> {
    if (comment === '') await this.repository.remove(accountId, targetId);
    else await this.repository.save(accountId, targetId, comment);
  }
}
