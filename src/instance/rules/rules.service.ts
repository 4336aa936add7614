import { Injectable } from '@nestjs/common';
import { codePointLength, fieldPhrase, isBlank, NotFound, phrase, Unprocessable } from '../../common/index.js';
import { Events, isBigintId, OwnerLocks, UnitOfWork } from '../../platform/index.js';
import { RulesChanged } from '../model/instance.events.js';
import { type RuleChanges, type RuleRow, RulesRepository } from './rules.repository.js';

/** The owner of all rules, for the lock of their number. */
const SERVER = 'server';
const MAX_RULES = 100;
const MAX_TEXT = 5_000;
const MAX_PRIORITY = 1_000_000;

/** Manages the server's rules, which its documents show and reports name. */
@Injectable()
export class RulesService {
  constructor(
    private readonly rules: RulesRepository,
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly events: Events,
  ) {}

  /** In display order. */
  all(): Promise<RuleRow[]> {
    return this.rules.all();
  }

  /**
   * Adds a rule.
   * @throws Unprocessable for an empty or too long text, a priority out of bounds, and for too many rules
   */
  async create(rule: RuleChanges & { readonly text: string }): Promise<RuleRow> {
    requireValid(rule);
    return this.change(async () => {
      await this.locks.lock('rules', SERVER);
      const row = await this.rules.insert(rule, MAX_RULES);
      if (!row) throw new Unprocessable(phrase('There cannot be more than {max} rules', { max: MAX_RULES }));
      return row;
    });
  }

  /** Changes a rule. Throws NotFound, and Unprocessable like {@link create}. */
  async update(id: string, changes: RuleChanges): Promise<RuleRow> {
    requireValid(changes);
    return this.change(async () => {
      const row = isBigintId(id) ? await this.rules.update(id, changes) : undefined;
      if (!row) throw new NotFound();
      return row;
    });
  }

  /** Removes a rule. Throws NotFound. */
  delete(id: string): Promise<void> {
    return this.change(async () => {
      if (!isBigintId(id) || !(await this.rules.delete(id))) throw new NotFound();
    });
  }

  private change<T>(write: () => Promise<T>): Promise<T> {
    return this.uow.run(async () => {
      const result = await write();
      this.events.emit(new RulesChanged());
      return result;
    });
  }
}

function requireValid({ text, hint, priority = 0 }: RuleChanges): void {
  if (text !== undefined && isBlank(text)) throw new Unprocessable('text must not be empty');
  for (const [name, value = ''] of Object.entries({ text, hint })) {
    if (codePointLength(value) > MAX_TEXT)
      throw new Unprocessable(fieldPhrase(name, phrase('must have at most {max} characters', { max: MAX_TEXT })));
  }
  if (!Number.isSafeInteger(priority) || Math.abs(priority) > MAX_PRIORITY) {
    throw new Unprocessable(phrase('priority must be a whole number of at most {max}', { max: MAX_PRIORITY }));
  }
}
