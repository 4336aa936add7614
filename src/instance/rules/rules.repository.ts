import { Injectable } from '@nestjs/common';
import { Database, UnitOfWork, sql } from '../../platform/index.js';
import { Rule } from './rule.entity.js';

/** A rule as it is shown. */
export type RuleRow = Readonly<Pick<Rule, keyof typeof SHOWN>>;

/** Changes of a rule; undefined fields stay. */
export interface RuleChanges {
  readonly text?: string | undefined;
  readonly hint?: string | undefined;
  readonly priority?: number | undefined;
}

const SHOWN = { id: true, priority: true, text: true, hint: true } as const;
const COLUMNS = Object.keys(SHOWN).join(', ');

const insert = sql<RuleRow>(
  'rules.insert',
  `insert into rules (text, hint, priority) select $1, $2, $3 where (select count(*) from rules) < $4
   returning ${COLUMNS}`,
);

const update = sql<RuleRow>(
  'rules.update',
  `update rules set text = coalesce($2, text), hint = coalesce($3, hint), priority = coalesce($4, priority)
   where id = $1 returning ${COLUMNS}`,
);

/** All SQL on `rules`. The table is small. */
@Injectable()
export class RulesRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** In display order. */
  all(): Promise<RuleRow[]> {
    return this.uow.manager.find(Rule, { select: SHOWN, order: { priority: 'ASC', id: 'ASC' } });
  }

  /** Returns undefined, and adds nothing, when the limit is reached. Inside a unit that holds the lock of the rules. */
  insert({ text, hint = '', priority = 0 }: RuleChanges & { text: string }, max: number): Promise<RuleRow | undefined> {
    return this.db.first(insert, [text, hint, priority, max]);
  }

  update(id: string, { text, hint, priority }: RuleChanges): Promise<RuleRow | undefined> {
    return this.db.first(update, [id, text, hint, priority]);
  }

  /** Returns whether the rule existed. */
  async delete(id: string): Promise<boolean> {
    return (await this.uow.manager.delete(Rule, { id })).affected === 1;
  }
}
