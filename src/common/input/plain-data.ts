import { Invalid } from '../errors/errors.js';

/** Deepest nesting of objects and arrays (a flat object has depth 1). */
export const MAX_DEPTH = 32;
/** Most keys in all objects of a request part together. */
export const MAX_KEYS = 1000;

/** Keys that reach an object's prototype in careless code; no field has such a name, so they are dropped. */
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The values of a form field or query parameter that was given several times, or as `a[]`. A single value takes the
 * last one, a list takes all. A JSON array is different: it is always meant as an array.
 */
export class Repeated extends Array<unknown> {
  static override get [Symbol.species]() {
    return Array;
  }
}

/**
 * A safe copy of parsed input: objects without prototype and without keys that could reach one, within {@link
 * MAX_DEPTH} and {@link MAX_KEYS}.
 * @param form arrays come from a form or query and become {@link Repeated}
 * @throws Invalid over a limit
 */
export function plainData(value: unknown, { form = false } = {}): unknown {
  return new Copy(form).of(value, 0);
}

/** An empty object without prototype. */
export function emptyData(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** Whether the value is an object made of keys and values: not null, not an array. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

class Copy {
  private keys = 0;

  constructor(private readonly form: boolean) {}

  of(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) throw new Invalid('The request is nested too deeply');
    return Array.isArray(value) ? this.ofArray(value, depth) : this.ofObject(value, depth);
  }

  private ofArray(values: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = this.form ? new Repeated() : [];
    for (const value of values) copy.push(this.of(value, depth + 1));
    return copy;
  }

  private ofObject(values: object, depth: number): Record<string, unknown> {
    const copy = emptyData();
    for (const [key, value] of Object.entries(values)) {
      this.keys += 1;
      if (this.keys > MAX_KEYS) throw new Invalid('The request has too many parameters');
      if (!PROTOTYPE_KEYS.has(key)) copy[key] = this.of(value, depth + 1);
    }
    return copy;
  }
}
