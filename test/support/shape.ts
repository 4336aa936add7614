import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** The errors of a value against a shape, one line each with the path. Empty when it matches. */
export function checkShape(schema: TSchema, value: unknown): string[] {
  return Value.Errors(schema, value).map(({ instancePath, message, keyword, params }) => {
    const detail = keyword === 'additionalProperties' || keyword === 'required' ? ` ${JSON.stringify(params)}` : '';
    return `${instancePath || '/'} ${message}${detail}`;
  });
}
