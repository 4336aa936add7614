import type { Settings } from '../../config/index.js';
import type { UnitOfWork } from '../../platform/index.js';
import type { RetentionKind, Slice, SliceResult } from '../model/retention-kind.js';
import type { RetentionRepository } from './retention.repository.js';
import type { RowKind } from './row-kind.sql.js';

/** Removes locked rows. */
type RemoveRows = (ids: readonly string[]) => Promise<unknown>;

/** The removal of one kind of rows: the next ones that may go are locked, checked again and removed in one unit of work. */
export class RowRetention implements RetentionKind {
  readonly name: RowKind['name'];
  readonly tables: readonly string[];

  constructor(
    private readonly kind: RowKind,
    private readonly removeRows: RemoveRows,
    private readonly tools: {
      readonly settings: Settings;
      readonly uow: UnitOfWork;
      readonly repository: RetentionRepository;
    },
  ) {
    ({ name: this.name, tables: this.tables } = kind);
  }

  days(): number {
    return this.tools.settings.get(this.kind.setting);
  }

  count({ after, days }: Slice): Promise<SliceResult> {
    return this.tools.repository.count(this.kind.statements, after, this.kind.ageOf(days));
  }

  remove({ after, days }: Slice): Promise<SliceResult> {
    return this.tools.uow.run(async () => {
      const { ids, last } = await this.tools.repository.lockNext(this.kind.statements, after, this.kind.ageOf(days));
      if (ids.length > 0) await this.removeRows(ids);
      return { rows: ids.length, next: last ?? undefined };
    });
  }
}
