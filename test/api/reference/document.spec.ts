import { gzipSync } from 'node:zlib';
import { SettingsService } from '../../../src/config/index.js';
import { builtEndpoints } from '../../support/fixtures/endpoints.js';
import {
  DocumentShape,
  Method,
  type OpenApi,
  type OpenApiContent,
  operationsOf,
  readReference,
} from '../../support/fixtures/openapi.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';

/** The keywords of JSON Schema in the shapes, which programs understand. */
const KEYWORDS = new Set(
  (
    '$ref type description properties required additionalProperties patternProperties items anyOf not enum const default format ' +
    'pattern minimum exclusiveMinimum maximum minLength maxLength minItems maxItems uniqueItems'
  ).split(' '),
);

/** The endpoints of OAuth that apps call themselves; the others are pages. */
const OAUTH_FOR_APPS = /^\/oauth\/(token|revoke|userinfo|mfa\/challenge)$/;
/** Pages below `/api`, and a route that is there to answer 404. */
const PAGES = ['/api/docs', '/api/v1/featured_tags', '/api/account/confirm_email/', '/api/v1/svc/password_reset'];

const app = useApp({ once: [] });
let document: OpenApi;

beforeAll(async () => {
  document = await readReference(app);
});

const operations = () => operationsOf(document);

/** The places of subschemas in a schema: one, a list, or several by name. */
const SCHEMAS = ['items', 'not', 'additionalProperties', 'anyOf'];
const NAMED_SCHEMAS = ['properties', 'patternProperties'];

/** A schema and all its subschemas. */
function withInner(schema: Record<string, unknown>): Record<string, unknown>[] {
  const direct: unknown[] = SCHEMAS.map((keyword) => schema[keyword]).flat();
  const named: unknown[] = NAMED_SCHEMAS.flatMap((keyword) =>
    Object.values((schema[keyword] ?? {}) as Record<string, unknown>),
  );
  const inner = [...direct, ...named].filter((child): child is Record<string, unknown> => typeof child === 'object');
  return [schema, ...inner.flatMap(withInner)];
}

/** Every schema in the document. */
function schemas(): Record<string, unknown>[] {
  const ofContent = (content: OpenApiContent = {}) => Object.values(content).map(({ schema }) => schema);
  const used = operations().flatMap(({ operation: { parameters = [], requestBody, responses } }) => [
    ...parameters.flatMap((parameter) => ('schema' in parameter ? [parameter.schema] : [])),
    ...ofContent(requestBody?.content),
    ...Object.values(responses).flatMap((response) => ('content' in response ? ofContent(response.content) : [])),
  ]);
  return [...used, ...Object.values(document.components.schemas)].flatMap(withInner);
}

describe('the OpenAPI document', () => {
  it('is valid', () => {
    expect(checkShape(DocumentShape, document)).toEqual([]);
    for (const { method } of operations()) expect(checkShape(Method, method)).toEqual([]);
  });

  it('lists every operation that apps call under one prefix, with its access and scopes', () => {
    const isOfApps = ({ path }: { path: string }) =>
      (/^\/api\/(?!svc\/)/.test(path) || OAUTH_FOR_APPS.test(path)) && !PAGES.some((page) => path.startsWith(page));
    const expected = builtEndpoints()
      .filter(isOfApps)
      .map(({ method, path, access, scopes }) => {
        const needs = access === 'public' ? [] : scopes.length > 0 ? scopes.map((scope) => [scope]) : [[]];
        return {
          method: method.toLowerCase(),
          path: path.replace(/[:*](\w+)/g, '{$1}'),
          needs: access === 'optional' ? [null, ...needs] : needs,
        };
      });
    const told = operations()
      .filter(isOfApps)
      .map(({ method, path, operation: { security } }) => {
        const needs = security.filter((entry) => !('adminToken' in entry)).map((entry) => entry['oauth2'] ?? null);
        return { method, path, needs };
      });
    const sorted = <T extends { method: string; path: string }>(list: T[]) =>
      list.sort((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`));
    expect(sorted(told)).toEqual(sorted(expected));
  });

  it('lists no pages, inboxes or files', () => {
    const others = operations().filter(({ path }) => !path.startsWith('/api/') && !OAUTH_FOR_APPS.test(path));
    expect(others.map(({ path }) => path).sort()).toEqual([
      '/.well-known/host-meta',
      '/.well-known/host-meta.json',
      '/.well-known/nodeinfo',
      '/.well-known/oauth-authorization-server',
      '/.well-known/webfinger',
      '/health/live',
      '/health/ready',
      '/nodeinfo/{version}',
    ]);
  });

  it('says in one sentence what each operation does', () => {
    const summaries = operations().map(({ operation }) => operation.summary);
    expect(summaries.filter((text) => !/^[A-Z][a-z]+s\b.*[^.]\.$/.test(text) || text.length > 120)).toEqual([]);
  });

  it('groups the routes of tokens and of sign-in under one tag', () => {
    const tagsOf = (path: string, method: string) => document.paths[path]?.[method]?.tags;
    const routes = [
      tagsOf('/api/v1/apps', 'post'),
      tagsOf('/oauth/token', 'post'),
      tagsOf('/api/oauth_tokens', 'get'),
      tagsOf('/api/v1/accounts', 'post'),
    ];
    expect(routes).toEqual(Array(4).fill(['oauth']));
  });

  it('has unique ids and no dangling references', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(ids).toHaveLength(new Set(ids).size);
    const references = Array.from(JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g), ([, target = '']) => target);
    expect(references.length).toBeGreaterThan(100);
    for (const target of new Set(references)) {
      const [, , kind = '', name = ''] = target.split('/');
      expect(target).toMatch(/^#\/components\/(schemas|responses|parameters|headers)\/[\w-]+$/);
      expect(document.components[kind as 'schemas']).toHaveProperty(name);
    }
  });

  it('describes the parameters of every path', () => {
    for (const { path, operation } of operations()) {
      const named = (operation.parameters ?? []).filter((parameter) => 'in' in parameter && parameter.in === 'path');
      const wanted = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => {
        return { name, required: true, description: expect.stringMatching(/^The .*\.$/) as unknown };
      });
      expect({ path, named }).toEqual({ path, named: wanted.map((one) => expect.objectContaining(one) as unknown) });
    }
  });

  it('uses the keywords of JSON Schema', () => {
    const unknown = schemas()
      .flatMap((schema) => Object.keys(schema))
      .filter((keyword) => !KEYWORDS.has(keyword));
    expect([...new Set(unknown)]).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('"pattern":{}');
  });

  it('describes the input and the answer of a route', () => {
    const statuses = document.paths['/api/v1/statuses']!;
    const body = statuses['post']!.requestBody!.content['application/json']!.schema as { properties: object };
    expect(body.properties).toMatchObject({ status: { type: 'string' }, media_ids: { type: 'array' } });
    const favourite = document.paths['/api/v1/statuses/{id}/favourite']!['post']!;
    expect(favourite.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Post' } } },
    });
    const home = document.paths['/api/v1/timelines/home']!['get']!;
    expect(home.parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'The most entries of the answer.',
      schema: { type: 'integer', minimum: 1, maximum: 40, default: 20 },
    });
    const upload = document.paths['/api/v1/media']!['post']!;
    expect(Object.keys(upload.requestBody!.content)).toEqual(['multipart/form-data']);
  });

  it('costs no query, and is public on a server that is not', async () => {
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    const { statements } = await countQueries(async () => {
      const { headers } = await app.http.get('/api/openapi').expect(200);
      expect(headers['content-type']).toMatch(/^application\/json/);
      await app.http.get('/api/docs').expect(200);
    });
    expect(statements).toEqual([]);
    await app.get(SettingsService).reset('instance.public');
  });

  it('uses the brand of the server', async () => {
    const branded = await startApp({ COMPAT_BRAND: 'acme' });
    try {
      const { text } = await branded.http.get('/api/openapi').expect(200);
      expect(text).toContain('"/api/v1/acme/healthcheck"');
      expect(text).toContain('"acme":{');
      expect(text).not.toMatch(/"svc|\/svc\//);
    } finally {
      await branded.close();
    }
  });
});

describe('the reference page', () => {
  const read = (language = 'en') => app.http.get('/api/docs').set('Accept-Language', language).expect(200);

  it('lists every operation once for readers without script, and has no dangling links', async () => {
    const { text } = await read();
    const ids = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    const targets = Array.from(text.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
    for (const target of new Set(targets)) expect(ids).toContain(target);
    for (const { operation } of operations()) expect(ids).toContain(operation.operationId);
    expect(gzipSync(text).length).toBeLessThan(30_000);
  });

  it('runs its two scripts and nothing else, and asks no other server', async () => {
    const { text, headers } = await read();
    const scripts = Array.from(text.matchAll(/<script defer src="([^"]+)"><\/script>/g), ([, path = '']) => path);
    expect(scripts).toHaveLength(2);
    expect(text.match(/<script/g)).toHaveLength(2);
    expect(text).not.toMatch(/<style| style=| on\w+=/);
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split(';')
        .map((directive) => directive.trim().split(/ (.*)/, 2)),
    ) as Record<string, string>;
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': scripts.map((path) => app.env.baseUrl + path).join(' '),
      'connect-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'frame-ancestors': "'none'",
    });
  });

  it('has files that caches store for good', async () => {
    const { text } = await read();
    const paths = Array.from(text.matchAll(/"(\/api\/docs\/[^"]+)"/g), ([, path = '']) => path);
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const { headers } = await app.http.get(path).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toMatch(/^text\/(javascript|css)/);
      await app.http.get(path).set('If-None-Match', String(headers['etag'])).expect(304);
    }
  });

  it('serves no other file of the package, and none of another version', async () => {
    const { text } = await read();
    const [, folder = ''] = /"(\/api\/docs\/[^/"]+)\//.exec(text) ?? [];
    await app.http.get(`${folder}/index.html`).expect(404);
    await app.http.get(`${folder}/..%2Fpackage.json`).expect(404);
    const { headers } = await app.http.get('/api/docs/1.0.0/swagger-ui-bundle.js').expect(404);
    expect(headers['cache-control']).not.toContain('public');
  });

  it.each([
    ['en', 'The API of this server', 'For people who are signed in.'],
    ['de', 'Die Schnittstelle dieses Servers', 'Für Menschen, die angemeldet sind.'],
    ['fr', 'L’API de ce serveur', 'Pour les personnes connectées.'],
  ])('supports %s', async (language, title, sentence) => {
    const { text } = await read(language);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain(sentence);
  });
});
