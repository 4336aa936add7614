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

/** Fields of forms, which the reference does not list. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  '/oauth/authorize': ['client_id', 'redirect_uri', 'scope', 'state', 'response_type', 'prompt', 'authorization'],
  '/oauth/mfa': ['mfa_token', 'challenge_type'],
  '/oauth/mfa/verify': ['mfa', '_csrf'],
  '/auth/sign_in': ['name', 'password', 'return_to', '_csrf'],
  '/auth/password': ['email', 'nickname'],
  '/main/ostatus': ['nickname', 'status_id', 'profile', 'user', 'status'],
  '/ostatus_subscribe': ['acct', 'uri', '_csrf'],
};

/** All built routes of `test/data/endpoints.tsv`, with the fields in the server's own reference. */
export async function readRoutes(port: number): Promise<Route[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/openapi`);
  const { paths } = (await answer.json()) as Reference;
  return builtEndpoints().map(({ method, path }) => {
    const template = path.replace(/^\/api\/svc\//, '/api/v1/svc/').replace(/[:*](\w+)/g, '{$1}');
    return { method, path, fields: FORMS[path] ?? fieldsOf(paths[template]?.[method.toLowerCase()]) };
  });
}

function fieldsOf(operation: Operation | undefined): string[] {
  const query = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const bodies = Object.values(operation?.requestBody?.content ?? {});
  return [...new Set([...query, ...bodies.flatMap(({ schema }) => Object.keys(schema?.properties ?? {}))])];
}
