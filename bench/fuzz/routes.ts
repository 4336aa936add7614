import { builtEndpoints } from '../../test/support/fixtures/endpoints.ts';

/** A route with the names of its inputs, as the API reference lists them. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** The fields of the query or the body. */
  readonly fields: readonly string[];
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface Reference {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** All built routes of `test/data/endpoints.tsv`, with the fields in the server's own reference. */
export async function readRoutes(port: number): Promise<Route[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/openapi`);
  const { paths } = (await answer.json()) as Reference;
  return builtEndpoints().map(({ method, path }) => {
    const template = path.replace(/[:*](\w+)/g, '{$1}');
    return { method, path, fields: fieldsOf(paths[template]?.[method.toLowerCase()]) };
  });
}

function fieldsOf(operation: Operation | undefined): string[] {
  const query = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const bodies = Object.values(operation?.requestBody?.content ?? {});
  return [...new Set([...query, ...bodies.flatMap(({ schema }) => Object.keys(schema?.properties ?? {}))])];
}
