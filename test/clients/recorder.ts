import type { Library } from './methods.js';

type Callable = (...values: unknown[]) => unknown;

/** Records which methods of the library a test calls, under the names of `mastoMethods`. */
export class Recorder {
  private readonly seen = new Set<string>();

  get called(): string[] {
    return [...this.seen].sort();
  }

  /** The client, watched. `api` is its part of the library. */
  watch<Part extends keyof Library>(api: Part, client: Library[Part]): Library[Part] {
    return this.wrap(client, api) as Library[Part];
  }

  private wrap(node: object, path: string): object {
    return new Proxy(node, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof key === 'symbol' || key === 'then' || !isNode(value)) return value;
        if (key !== '$select') return this.wrap(value, `${path}.${key}`);
        return (...ids: unknown[]) => this.wrap((value as Callable)(...ids) as object, `${path}.$select`);
      },
      apply: (target, self: unknown, values: unknown[]) => {
        this.seen.add(path);
        return Reflect.apply(target as Callable, self, values);
      },
    });
  }
}

const isNode = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);
