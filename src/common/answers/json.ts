import { byteLengths, joinedBytes, packedBytes, type Part } from '../../platform/index.js';
import { inReferenceShapes } from './reference-shapes.js';

/** Joins texts up to this length; longer ones stay apart, so that a page never becomes one giant string. */
const JOINED_LENGTH = 4096;

/**
 * Rendered JSON, as a row of texts and buffers. A page joins cached parts without parsing them or joining them as a
 * string: {@link toBuffer} copies all parts into one buffer.
 */
export class Json {
  private constructor(readonly parts: readonly Part[]) {}

  /** Renders a value; undefined is null. */
  static of(value: unknown): Json {
    return value instanceof Json ? value : new Json([stringify(value)]);
  }

  /** Rendered pieces that make one JSON value, such as the members of an object with its braces. */
  static join(pieces: readonly (Part | Json)[]): Json {
    const parts = new Parts();
    for (const piece of pieces) parts.all(piece instanceof Json ? piece.parts : [piece]);
    return new Json(parts.done());
  }

  static array(items: readonly Json[]): Json {
    const parts = new Parts();
    items.forEach((item, index) => {
      parts.text(index === 0 ? '[' : ',');
      parts.all(item.parts);
    });
    parts.text(items.length === 0 ? '[]' : ']');
    return new Json(parts.done());
  }

  /** An object whose values are rendered JSON, arrays of it, or plain values; undefined values are left out. */
  static object(fields: Readonly<Record<string, unknown>>): Json {
    return new Json(withFields(new Parts(), '{', fields));
  }

  /** A rendered object, stored as UTF-8, with further fields as in {@link object}. */
  static extend(object: Buffer, fields: Readonly<Record<string, unknown>>): Json {
    const parts = new Parts();
    parts.all([object.subarray(0, -1)]);
    return new Json(withFields(parts, object.length > 2 ? ',' : '', fields));
  }

  /** The same JSON in one part, with memory of its own: for caches. */
  packed(): Json {
    return new Json([packedBytes(this.parts)]);
  }

  /** The same JSON in the shapes of the reference. */
  inReferenceShapes(): Json {
    return new Json([inReferenceShapes(this.toBuffer())]);
  }

  /** Length in bytes as UTF-8. */
  get size(): number {
    return byteLengths(this.parts).reduce((sum, length) => sum + length, 0);
  }

  /** All parts as UTF-8, copied into one allocation. */
  toBuffer(): Buffer {
    return joinedBytes(this.parts);
  }

  toString(): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : part.toString('utf8'))).join('');
  }

  /** The parsed value. */
  parse(): unknown {
    return JSON.parse(this.toString());
  }

  /** Keeps rendered JSON valid inside values that are rendered as a whole; slow, as it is parsed again. */
  toJSON(): unknown {
    return this.parse();
  }
}

/** Collects parts, joining short neighbouring texts. */
class Parts {
  private readonly parts: Part[] = [];
  private pending = '';

  text(text: string): void {
    if (this.pending.length + text.length > JOINED_LENGTH) this.flush();
    this.pending += text;
  }

  all(parts: readonly Part[]): void {
    for (const part of parts) {
      if (typeof part === 'string') this.text(part);
      else {
        this.flush();
        this.parts.push(part);
      }
    }
  }

  done(): readonly Part[] {
    this.flush();
    return this.parts;
  }

  private flush(): void {
    if (this.pending !== '') this.parts.push(this.pending);
    this.pending = '';
  }
}

/** Writes the fields of an open object, and its end. `separator` stands before the first of them. */
function withFields(parts: Parts, separator: string, fields: Readonly<Record<string, unknown>>): readonly Part[] {
  let before = separator;
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    parts.text(`${before}${JSON.stringify(key)}:`);
    parts.all(rendered(value));
    before = ',';
  }
  parts.text(before === '{' ? '{}' : '}');
  return parts.done();
}

function rendered(value: unknown): readonly Part[] {
  if (value instanceof Json) return value.parts;
  if (Array.isArray(value) && value.some((item) => item instanceof Json))
    return Json.array(value.map((item) => Json.of(item))).parts;
  return [stringify(value)];
}

function stringify(value: unknown): string {
  return JSON.stringify(value ?? null);
}
