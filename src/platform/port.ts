import type { OnApplicationBootstrap } from '@nestjs/common';

/**
 * Lets a module use what only a module to its right has (docs/adr/0016-ports.md): that module fills the port when it starts.
 * The server refuses to start with an unfilled one.
 */
export abstract class Port<T> implements OnApplicationBootstrap {
  private given: T | undefined;

  use(filler: T): void {
    this.given = filler;
  }

  onApplicationBootstrap(): void {
    this.filler();
  }

  protected filler(): T {
    if (this.given === undefined) throw new Error(`Nobody fills the port ${this.constructor.name}`);
    return this.given;
  }
}
