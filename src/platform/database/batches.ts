interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits for the next statement of one scope. */
interface Queue<Item, Result> {
  waiting: Waiting<Item, Result>[];
  isRunning: boolean;
}

/**
 * Runs one statement for what several callers ask for at the same time: all that come while one runs are in the next. A
 * failure reaches all callers of the statement. Without a scope never inside a unit of work, which others cannot share.
 */
export class Batches<Item, Result> {
  private readonly queues = new WeakMap<object, Queue<Item, Result>>();

  /**
   * @param run returns a result for each item, in the same order
   * @param scope what callers of one statement have in common; see {@link Database.batches}
   */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly scope: () => object = () => this,
  ) {}

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const queue = this.queue();
    queue.waiting.push({ item, resolve, reject });
    if (!queue.isRunning) {
      queue.isRunning = true;
      setImmediate(() => void this.runAll(queue)); // callers of the same moment come along
    }
    return promise;
  }

  private queue(): Queue<Item, Result> {
    const scope = this.scope();
    const queue = this.queues.get(scope) ?? { waiting: [], isRunning: false };
    this.queues.set(scope, queue);
    return queue;
  }

  private async runAll(queue: Queue<Item, Result>): Promise<void> {
    while (queue.waiting.length > 0) {
      const batch = queue.waiting;
      queue.waiting = [];
      try {
        const results = await this.run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, at) => resolve(results[at] as Result));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queue.isRunning = false;
  }
}
