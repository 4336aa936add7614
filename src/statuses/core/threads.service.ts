import { Injectable } from '@nestjs/common';
import { answersTo, relationsOf } from '../../accounts/index.js';
import { NotFound, unique } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { type ReadCache, ReadCaches, type Reading } from '../../platform/index.js';
import type { PageRow } from '../model/page.sql.js';
import { StatusesService } from './statuses.service.js';
import { type ThreadBounds, ThreadRepository, type ThreadRow } from './thread.repository.js';

const ANONYMOUS_THREAD: ThreadBounds = { ancestors: 40, descendants: 60 };
const THREAD: ThreadBounds = { ancestors: 100, descendants: 300 };

/** Most bytes of content in a thread: of long posts the nearest are shown. */
const MAX_THREAD_BYTES = 4 * 1_048_576;

const CACHE_BYTES = 2 * 1024 * 1024;
/** A row in memory, roughly. */
const ROW_BYTES = 650;

type Rows = readonly ThreadRow[];

/** The visible posts around a post: ancestors from the root, descendants depth first. */
interface Thread {
  readonly ancestors: PageRow[];
  readonly descendants: PageRow[];
}

/**
 * Reads the threads of posts. Keeps them in memory (docs/adr/0025): each as a viewer sees it, and threads of posts that
 * everybody may see also for all viewers, who then cost one statement: which of the authors are hidden from them.
 */
@Injectable()
export class ThreadsService {
  private readonly shown: ReadCache<Rows>;
  /** Whole threads of public and unlisted posts, of which nothing is left out. */
  private readonly open: ReadCache<Rows>;

  constructor(
    private readonly repository: ThreadRepository,
    private readonly statuses: StatusesService,
    private readonly anonymous: AnonymousAccess,
    caches: ReadCaches,
  ) {
    const sizeOf = (rows: Rows) => ROW_BYTES * rows.length;
    this.shown = caches.create('threads', CACHE_BYTES, sizeOf);
    this.open = caches.create('open_threads', CACHE_BYTES, sizeOf);
  }

  /**
   * The visible posts of a post's thread. Leaves out the farthest when there are too many, or too long ones.
   * @throws NotFound when the viewer may not see the post
   */
  async around(id: string, viewerId?: string): Promise<Thread> {
    if (viewerId === undefined && this.anonymous.refusesSomeStatuses()) await this.statuses.visible(id);
    const near = nearest(await this.rows(id, viewerId ?? ''), MAX_THREAD_BYTES);
    return { ancestors: near.filter(({ place }) => place < 0), descendants: near.filter(({ place }) => place > 0) };
  }

  private rows(id: string, viewerId: string): Promise<Rows> {
    return this.shown.find(`${viewerId} ${id}`, async () => {
      const bounds = viewerId === '' ? ANONYMOUS_THREAD : THREAD;
      const open = this.open.get(id);
      const reading =
        open && isWithin(open.value, bounds)
          ? await this.withoutHidden(open, viewerId)
          : await this.read(id, viewerId, bounds);
      const viewer = viewerId === '' ? [] : [viewerId, relationsOf(viewerId)];
      return { ...reading, subjects: [...reading.subjects, ...viewer] };
    });
  }

  /** A thread that everybody may see as one viewer sees it, to whom blocks hide some of the authors. */
  private async withoutHidden(open: Reading<Rows>, viewerId: string): Promise<Reading<Rows>> {
    if (viewerId === '') return open;
    const authorIds = unique(open.value.map((row) => row.authorId));
    const hidden = await this.repository.hiddenAuthors(viewerId, authorIds);
    return { ...open, value: open.value.filter(({ place, authorId }) => place === 0 || !hidden.has(authorId)) };
  }

  /** Reads a thread for a viewer, and keeps it for all where it is the same for all but for hidden authors. */
  private async read(id: string, viewerId: string, bounds: ThreadBounds): Promise<Reading<Rows>> {
    const rows = await this.repository.thread(id, viewerId, bounds);
    const post = rows.find(({ place }) => place === 0);
    if (!post) throw new NotFound();
    const examined = post.examined ?? [];
    const subjects = unique([id, ...examined, ...examined.map(answersTo)]);
    const isWhole = rows.length === examined.length && isWithin(rows, bounds);
    if (post.isOpen && isWhole && post.id === id) this.open.put(id, { value: rows, subjects });
    return { value: rows, subjects };
  }
}

/** Whether no bound has cut the thread short. */
function isWithin(rows: Rows, { ancestors, descendants }: ThreadBounds): boolean {
  const above = rows.filter(({ place }) => place < 0);
  const below = rows.filter(({ place }) => place > 0);
  return above.length < ancestors && below.length < descendants;
}

/** The posts of a thread that are nearest to the one in question, in their order, up to so many bytes of content. */
function nearest(rows: readonly ThreadRow[], maxBytes: number): ThreadRow[] {
  const others = rows.filter(({ place }) => place !== 0).sort((one, other) => one.distance - other.distance);
  const near = new Set<ThreadRow>();
  let bytes = 0;
  for (const row of others) {
    bytes += row.bytes;
    if (bytes > maxBytes) break; // what answers it is farther away
    near.add(row);
  }
  return rows.filter((row) => near.has(row));
}
