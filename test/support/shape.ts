import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** What is wrong with a value, one line for each thing: where it stands and why. Empty when it has the shape. */
export function checkShape(schema: TSchema, value: unknown): string[] {
  return Value.Errors(schema, value).map(({ instancePath, message, keyword, params }) => {
    const detail = keyword === 'additionalProperties' || keyword === 'required' ? ` ${JSON.stringify(params)}` : '';
    return `${instancePath || '/'} ${message}${detail}`;
  });
}
