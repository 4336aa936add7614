import { useApp } from '../../support/servers/app.js';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
  readonly description?: string;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

describe('the texts of the API reference', () => {
  const app = useApp({ once: [] });
  let document: Document;

  beforeAll(async () => {
    document = (await app.http.get('/api/openapi').expect(200)).body as Document;
  });

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ route: `${method} ${path}`, operation })),
    );

  it('say what each parameter of a path or a query means', () => {
    const silent = operations().flatMap(({ route, operation: { parameters = [] } }) =>
      parameters
        .filter(({ $ref, description }) => !$ref && !isSentence(description))
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
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content).map(({ schema }) => [route, schema] as const),
      ),
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
