import { Injectable } from '@nestjs/common';
import { codePointLength, Invalid, isPlainObject, Unprocessable } from '../../common/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { mergePatch } from './merge-patch.js';
import { UserRepository } from './user.repository.js';

type Values = Readonly<Record<string, unknown>>;

const MAX_NAME_LENGTH = 100;

/** Settings that frontends store with an account, by frontend name (spec §4.2, §4.3). */
@Injectable()
export class SettingsStoreService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UserRepository,
  ) {}

  /** The stored object of a frontend; empty when there is none. */
  async of(accountId: string, name: string): Promise<Values> {
    requireName(name);
    const stored = await this.users.settingsOf(accountId, name);
    return isPlainObject(stored) ? stored : {};
  }

  /**
   * Merges changes into the object of a frontend; null removes a key. Returns the new object.
   * @throws Unprocessable when the store would grow too large, Invalid for a name that is too long
   */
  async merge(accountId: string, name: string, changes: Values): Promise<Values> {
    return this.uow.run(async () => {
      const merged = mergePatch(await this.users.lockSettings(accountId, name), changes);
      await this.replace(accountId, { [name]: merged });
      return merged;
    });
  }

  /**
   * Replaces the objects of the given names; others stay.
   * @throws Unprocessable when the store would grow too large, Invalid for a name that is too long
   */
  async replace(accountId: string, entries: Values): Promise<void> {
    Object.keys(entries).forEach(requireName);
    if (!(await this.users.mergeSettings(accountId, entries))) throw new Unprocessable('The settings store is full');
  }
}

function requireName(name: string): void {
  if (codePointLength(name) > MAX_NAME_LENGTH) throw new Invalid('The name of the frontend is too long');
}
