import { Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import type { ListRow } from './list.repository.js';
import type { ListJson } from './list.shape.js';

/** Lists as JSON (reference List). */
@Injectable()
export class ListView {
  one({ id, title, repliesPolicy, exclusive }: ListRow): Json {
    return Json.of({ id, title, replies_policy: repliesPolicy, exclusive } satisfies ListJson);
  }

  many(rows: readonly ListRow[]): Json[] {
    return rows.map((row) => this.one(row));
  }
}
