import { readFileSync } from 'node:fs';

/** A row of `test/data/endpoints.tsv`: what a route demands, written by hand and never generated from the code. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: 'public' | 'optional' | 'user' | 'app' | 'admin';
  readonly scopes: readonly string[];
  readonly state: 'built' | 'planned' | 'no';
}

/** The routes that exist by now. Paths of the service's own API are listed under both prefixes. */
export function builtEndpoints(): Endpoint[] {
  const [, ...lines] = readFileSync(new URL('../data/endpoints.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines
    .map(parse)
    .filter(({ state }) => state === 'built')
    .flatMap(underBothPrefixes);
}

function parse(line: string): Endpoint {
  const [method, path, access, scopes, state] = line.split('\t');
  return { method, path, access, scopes: scopes ? scopes.split('|') : [], state } as Endpoint;
}

function underBothPrefixes(endpoint: Endpoint): Endpoint[] {
  const rest = /^\/api\/(?:v1\/)?svc\/(.*)$/.exec(endpoint.path)?.[1];
  if (rest === undefined) return [endpoint];
  return [`/api/v1/svc/${rest}`, `/api/svc/${rest}`].map((path) => ({ ...endpoint, path }));
}
