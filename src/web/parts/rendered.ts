import type { Json } from '../../common/index.js';

/** The object of rendered JSON, of which pages show parts. Bytes are the only form that is in memory (ADR 25). */
export function objectOf<Shape>(json: Json): Shape {
  return json.parse() as Shape;
}
