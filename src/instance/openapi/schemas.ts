import { brandKey, FIELD_TEXT, type JsonSchema } from '../../common/index.js';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = new Set(['items', 'not', 'additionalProperties']);
const LIST = new Set(['anyOf', 'oneOf', 'allOf']);
const BY_NAME = new Set(['properties', 'patternProperties']);

/**
 * The schemas of an OpenAPI document. A titled schema is listed once and referenced; words of this service get its
 * brand.
 */
export class Schemas {
  private readonly byName = new Map<string, JsonSchema>();

  constructor(private readonly brand: string) {}

  /** The titled schemas by name. */
  named(): [name: string, schema: JsonSchema][] {
    return [...this.byName].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** A schema in the form of the document. */
  of(schema: JsonSchema): JsonSchema {
    const { title, [FIELD_TEXT]: text, ...rest } = schema;
    const description = text === undefined ? {} : { description: text };
    if (typeof title !== 'string') return { ...this.rendered(rest), ...description };
    if (!this.byName.has(title)) {
      this.byName.set(title, {}); // it may be recursive
      this.byName.set(title, this.rendered(rest));
    }
    return { $ref: `#/components/schemas/${title}`, ...description };
  }

  private rendered(schema: JsonSchema): JsonSchema {
    return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, this.value(keyword, value)]));
  }

  private value(keyword: string, value: unknown): unknown {
    if (value instanceof RegExp) return value.source;
    if (ONE.has(keyword) && isSchema(value)) return this.of(value);
    if (LIST.has(keyword)) return (value as JsonSchema[]).map((schema) => this.of(schema));
    if (BY_NAME.has(keyword)) {
      const entries = Object.entries(value as Record<string, JsonSchema>);
      return Object.fromEntries(entries.map(([name, schema]) => [this.name(name), this.of(schema)]));
    }
    if (keyword === 'required' || keyword === 'enum') return (value as unknown[]).map((word) => this.name(word));
    return keyword === 'const' ? this.name(value) : value;
  }

  /** A word of this service under its brand. */
  name<T>(word: T): T {
    return (typeof word === 'string' && /^svc([_:]|$)/.test(word) ? brandKey(this.brand, word) : word) as T;
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
