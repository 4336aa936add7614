import { readProjectFile } from '../../platform/index.js';
import type { Operation } from './route-catalogue.js';
import type { Schemas } from './schemas.js';

/** A request that succeeded: its JSON body, if there was one, and the answer. */
interface Example {
  readonly body?: unknown;
  readonly answer: unknown;
}

/** Examples by the method and the path of their operation. */
export type Examples = Readonly<Record<string, Example | undefined>>;

/** Reads the examples, which a test makes of answers of a server. They are read only for the document (ADR 18). */
export function readExamples(): Examples {
  return JSON.parse(readProjectFile('assets/reference/examples.json').toString()) as Examples;
}

/** The example of one part of an operation, with the words of this service under its brand; `{}` without an example. */
export function exampleOf(
  examples: Examples,
  { method, path }: Operation,
  part: keyof Example,
  schemas: Schemas,
): { readonly example?: unknown } {
  const value = examples[`${method} ${path}`]?.[part];
  return value === undefined ? {} : { example: branded(value, schemas) };
}

function branded(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => branded(item, schemas));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]) => [schemas.name(name), branded(inner, schemas)]);
    return Object.fromEntries(entries) as unknown;
  }
  return schemas.name(value);
}
