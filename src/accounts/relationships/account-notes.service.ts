import { Injectable } from '@nestjs/common';
import { translateForeignKeyViolation } from '../../common/index.js';
import { AccountNoteRepository } from './account-note.repository.js';

/** Private notes about other accounts; only the author sees them (threat V12). */
@Injectable()
export class AccountNotesService {
  constructor(private readonly repository: AccountNoteRepository) {}

  /** Replaces the note about an account; an empty one removes it. Throws NotFound for an account that is gone. */
  async write(accountId: string, targetId: string, comment: string): Promise<void> {
    if (comment === '') await this.repository.remove(accountId, targetId);
    else await translateForeignKeyViolation(this.repository.save(accountId, targetId, comment));
  }

  /** Takes the notes about an account that moved over to its new account. Safe to run twice. */
  async copy(movedId: string, targetId: string): Promise<void> {
    await this.repository.copy(movedId, targetId);
  }
}
