import { brandKey, type JsonSchema, type Parameter, parametersOf, unique } from '../../common/index.js';
import type { Env } from '../../platform/index.js';
import type { Operation } from './route-catalogue.js';
import { Schemas } from './schemas.js';

const ERROR = {
  description: 'Something is wrong; `error` says what. Some answers have further fields.',
  content: {
    'application/json': { schema: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] } },
  },
};
const ERROR_REFERENCE = { $ref: '#/components/responses/Error' };
const DESCRIPTION = `The interface of a federated social server: the client API of the reference, version 2.7.2 with much that came later, and
this service's own. Parameters may stand in the query, in a form or in a JSON body; unknown ones are ignored. Paths below
\`/api/v1/svc\` work below \`/api/svc\` as well. Lists are paged by the \`Link\` header.`;

/** The OpenAPI 3.1 description of the whole API. */
export function openApiDocument(routes: readonly Operation[], brand: string, { version, baseUrl }: Env): object {
  const schemas = new Schemas(brand);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = templateOf(brandedPath(route.path, brand));
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `The API of ${brand}`,
      version,
      description: DESCRIPTION.replaceAll('/svc', `/${brand}`),
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: baseUrl }],
    tags: unique(routes.map(({ module }) => module)).map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(schemas.named()),
      responses: { Error: ERROR },
      securitySchemes: { oauth2: oauth2(routes, baseUrl) },
    },
  };
}

/** A path under the brand of this server. */
export function brandedPath(path: string, brand: string): string {
  return path.replace(
    /^(\/api\/(?:v[12]\/)?|\/(?=svc\/admin))svc(?=\/|$)/,
    (_, api: string) => api + brandKey(brand, 'svc'),
  );
}

function templateOf(path: string): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

function operation(route: Operation, schemas: Schemas): object {
  const fields = route.input ? parametersOf(route.input) : [];
  const inPath = namesIn(route.path);
  const others = fields.filter(({ name }) => !inPath.includes(name));
  const isBody = !['GET', 'DELETE'].includes(route.method);
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(isBody ? [] : others.map((field) => queryParameter(field, schemas))),
  ];
  return {
    tags: [route.module],
    operationId: route.id,
    summary: route.text.summary,
    ...(route.text.deprecated ? { deprecated: true } : {}),
    security: security(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isBody && others.length > 0 ? { requestBody: requestBody(others, route, schemas) } : {}),
    responses: responses(route, schemas),
  };
}

/** The names of a path's parameters. */
export function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/[:*](\w+)/g), ([, name = '']) => name);
}

function queryParameter({ name, schema, required }: Parameter, schemas: Schemas): object {
  const isList = schema['type'] === 'array';
  const isObject = schema['type'] === 'object';
  return {
    name: `${schemas.name(name)}${isList ? '[]' : ''}`,
    in: 'query',
    required,
    ...(isObject ? { style: 'deepObject', explode: true } : {}),
    schema: schemas.of(schema),
  };
}

function requestBody(fields: readonly Parameter[], { takesFiles }: Operation, schemas: Schemas): object {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = schemas.of({
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    ...(required.length > 0 ? { required } : {}),
  });
  const types = takesFiles ? ['multipart/form-data'] : ['application/json', 'application/x-www-form-urlencoded'];
  return { required: required.length > 0, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function responses({ status, answer }: Operation, schemas: Schemas): object {
  const content = answer && { [answer.contentType]: { schema: schemas.of(answer.shape as JsonSchema) } };
  return { [status]: { description: 'It went well.', ...(content ? { content } : {}) }, default: ERROR_REFERENCE };
}

/** One entry is sufficient: the scopes of a handler are alternatives. */
function security({ access: { kind, scopes } }: Operation): object[] {
  const withToken = scopes.length > 0 ? scopes.map((scope) => ({ oauth2: [scope] })) : [{ oauth2: [] }];
  if (kind === 'public') return [];
  return kind === 'optional' ? [{}, ...withToken] : withToken;
}

function oauth2(routes: readonly Operation[], baseUrl: string): object {
  const names = unique(routes.flatMap(({ access }) => access.scopes)).sort();
  const scopes = Object.fromEntries(names.map((name) => [name, '']));
  const tokenUrl = `${baseUrl}/oauth/token`;
  const authorizationUrl = `${baseUrl}/oauth/authorize`;
  return {
    type: 'oauth2',
    flows: {
      authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes },
      password: { tokenUrl, refreshUrl: tokenUrl, scopes },
      clientCredentials: { tokenUrl, scopes },
    },
  };
}
