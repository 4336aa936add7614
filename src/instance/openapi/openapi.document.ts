import { type JsonSchema, type Parameter, parametersOf, type Translator } from '../../common/index.js';
import type { Env } from '../../platform/index.js';
import { answerComponents, ERROR_SCHEMA, headerParameters, IDEMPOTENCY_PARAMETER, responsesOf } from './answers.js';
import { type Examples, exampleOf } from './examples.js';
import { brandedPath, namesIn, pathText, templateOf } from './paths.js';
import type { Operation } from './route-catalogue.js';
import { Schemas } from './schemas.js';
import { securityOf, securitySchemes } from './security-schemes.js';
import { tagOf, tags } from './tags.js';

const DESCRIPTION = `The interface of a federated social server: the client API of the reference, version 2.7.2 with much that came later, and
this service's own.

- **Parameters** may stand in the query, in a form or in a JSON body; unknown ones are ignored.
- **Lists** are paged by the \`Link\` header: follow its addresses instead of making own ones.
- **Ids** are texts. Do not read numbers or times in them.
- **Errors** have the field \`error\` with the reason in English. A few routes of the reference answer a text, a list or a map instead.
- **Prefixes:** paths below \`/api/v1/svc\` work below \`/api/svc\` as well.
- **Requests** are named by the header \`X-Request-Id\` of the answer, for questions to the operator.`;

/** The OpenAPI 3.1 description of the API. `t` words the scopes. */
export function openApiDocument(
  operations: readonly Operation[],
  brand: string,
  { version, baseUrl }: Env,
  t: Translator,
  examples: Examples,
): object {
  const schemas = new Schemas(brand);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = templateOf(brandedPath(operation.path, brand));
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described(operation, schemas, examples) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `The API of ${brand}`,
      version,
      description: DESCRIPTION.replaceAll('/svc', `/${brand}`),
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: baseUrl, description: 'This server.' }],
    tags: tags(),
    paths,
    components: {
      schemas: { ...Object.fromEntries(schemas.named()), Error: ERROR_SCHEMA },
      parameters: { IdempotencyKey: IDEMPOTENCY_PARAMETER },
      ...answerComponents(),
      securitySchemes: securitySchemes(baseUrl, t),
    },
  };
}

function described(operation: Operation, schemas: Schemas, examples: Examples): object {
  const { input, path, method, text } = operation;
  const fields = input ? parametersOf(input) : [];
  const inPath = namesIn(path);
  const others = fields.filter(({ name }) => !inPath.includes(name));
  const isBody = !['GET', 'DELETE'].includes(method);
  const parameters = [
    ...inPath.map((name) => pathParameter(path, name)),
    ...headerParameters(operation),
    ...(isBody ? [] : others.map((field) => queryParameter(field, schemas))),
  ];
  return {
    tags: [tagOf(operation.module)],
    operationId: operation.id,
    summary: text.summary,
    ...(text.deprecated ? { deprecated: true } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isBody && others.length > 0 ? { requestBody: requestBody(others, operation, schemas, examples) } : {}),
    responses: responsesOf(operation, schemas, examples),
  };
}

function pathParameter(path: string, name: string): object {
  return { name, in: 'path', required: true, description: pathText(path, name), schema: { type: 'string' } };
}

function queryParameter({ name, schema, required }: Parameter, schemas: Schemas): object {
  const { description, ...rest } = schema;
  const isList = schema['type'] === 'array';
  const isObject = schema['type'] === 'object';
  return {
    name: `${schemas.name(name)}${isList ? '[]' : ''}`,
    in: 'query',
    required,
    ...(description === undefined ? {} : { description }),
    ...(isObject ? { style: 'deepObject', explode: true } : {}),
    schema: schemas.of(rest),
  };
}

function requestBody(fields: readonly Parameter[], operation: Operation, schemas: Schemas, examples: Examples): object {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema: JsonSchema = schemas.of({
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    ...(required.length > 0 ? { required } : {}),
  });
  const form = { schema };
  const content = operation.takesFiles
    ? { 'multipart/form-data': form }
    : {
        'application/json': { schema, ...exampleOf(examples, operation, 'body', schemas) },
        'application/x-www-form-urlencoded': form,
      };
  return { required: required.length > 0, content };
}
