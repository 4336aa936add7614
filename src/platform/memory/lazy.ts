/**
 * A value that is made on the first request and cached until it is dropped. Concurrent requests share one making. A value
 * that was dropped meanwhile is not cached, and neither is a failure.
 */
export class Lazy<T> {
  private value: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    return (this.value ??= this.fill());
  }

  /** The value, if it was asked for. */
  get current(): Promise<T> | undefined {
    return this.value;
  }

  drop(): void {
    this.value = undefined;
  }

  private fill(): Promise<T> {
    const value = this.make();
    value.catch(() => {
      if (this.value === value) this.drop();
    });
    return value;
  }
}
