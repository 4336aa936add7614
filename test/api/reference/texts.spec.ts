import { type OpenApi, operationsOf, readReference } from '../../support/fixtures/openapi.js';
import { useApp } from '../../support/servers/app.js';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

describe('the texts of the API reference', () => {
  const app = useApp({ once: [] });
  let document: OpenApi;

  beforeAll(async () => {
    document = await readReference(app);
  });

  const operations = () =>
    operationsOf(document).map(({ method, path, operation }) => ({ route: `${method} ${path}`, operation }));

  it('say what each parameter of a path or a query means', () => {
    const silent = operations().flatMap(({ route, operation: { parameters = [] } }) =>
      parameters
        .flatMap((parameter) => ('name' in parameter ? [parameter] : []))
        .filter(({ description }) => !isSentence(description))
        .map(({ name }) => `${route} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('say what each field of a body means', () => {
    const silent = operations().flatMap(({ route, operation: { requestBody } }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsWithout(schema, route)),
    );
    expect(silent).toEqual([]);
  });

  it('say what each field of an answer means: 0 without', () => {
    const inShapes = Object.entries(document.components.schemas);
    const inAnswers = operations().flatMap(({ route, operation: { responses } }) =>
      Object.values(responses)
        .flatMap((response) => ('content' in response ? Object.values(response.content ?? {}) : []))
        .map(({ schema }) => [route, schema] as const),
    );
    const silent = [...inShapes, ...inAnswers].flatMap(([name, schema]) => fieldsWithout(schema, name));
    expect(silent).toEqual([]);
  });
});

/** The paths of the fields without a sentence, in a schema and the schemas inside of it. */
function fieldsWithout(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((inner) => fieldsWithout(inner, path));
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...others } = schema as Schema;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    ...(isSentence(field.description) ? [] : [`${path}.${name}`]),
    ...fieldsWithout(field, `${path}.${name}`),
  ]);
  return [...own, ...Object.values(others).flatMap((inner) => fieldsWithout(inner, path))];
}

function isSentence(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z`].*[.]$/.test(text);
}
