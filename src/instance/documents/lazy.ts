/**
 * A value that is made when somebody first asks for it and kept until it is dropped. Those who ask while it is being made
 * wait for the same making; a value that was dropped meanwhile is not kept, and neither is a failure.
 */
export class Lazy<T> {
  private value: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    return (this.value ??= this.made());
  }

  drop(): void {
    this.value = undefined;
  }

  private made(): Promise<T> {
    const value = this.make();
    value.catch(() => {
      if (this.value === value) this.drop();
    });
    return value;
  }
}
