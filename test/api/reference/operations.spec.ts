import { INPUTS } from '../../data/inputs.js';
import { KNOWN_SCOPES } from '../../../src/oauth/index.js';
import { type OpenApi, type OpenApiOperation, operationsOf, readReference } from '../../support/fixtures/openapi.js';
import { useApp } from '../../support/servers/app.js';

const RATE_LIMIT = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

describe('the answers in the API reference', () => {
  const app = useApp({ once: ['alice'], env: { RATE_LIMITS: 'on' } });
  let document: OpenApi;

  beforeAll(async () => {
    document = await readReference(app);
  });

  const operation = (method: string, path: string): OpenApiOperation => document.paths[path]![method]!;
  const statuses = (method: string, path: string) => Object.keys(operation(method, path).responses);
  const headers = (method: string, path: string) => headersOf(operation(method, path));

  it('follow from the access rule', () => {
    expect(statuses('get', '/api/v1/custom_emojis')).toEqual(['200', '503', 'default']);
    expect(statuses('get', '/api/v1/apps/verify_credentials')).toEqual(['200', '401', '503', 'default']);
    expect(statuses('get', '/api/v1/bookmarks')).toEqual(['200', '400', '401', '403', '422', '503', 'default']);
    expect(statuses('get', '/api/v1/svc/admin/rules')).toEqual(['200', '403', '503', 'default']);
    expect(operation('get', '/api/v1/svc/admin/rules').security).toEqual([
      { oauth2: ['admin:read'] },
      { adminToken: [] },
    ]);
  });

  it('have 404 where the path names something, and the status of the route for wrong content', () => {
    expect(statuses('get', '/api/v1/polls/{id}')).toContain('404');
    expect(statuses('patch', '/api/v1/svc/admin/rules/{id}')).toEqual(['200', '400', '403', '404', '503', 'default']);
    expect(statuses('patch', '/api/v1/profile')).toEqual(expect.arrayContaining(['400', '403', '413', '415']));
    expect(statuses('patch', '/api/v1/profile')).not.toContain('422');
  });

  it('have 409 and a request header where a key can make a request safe to repeat', () => {
    const withKey = operationsOf(document)
      .filter(({ operation: { parameters = [] } }) =>
        parameters.some((one) => '$ref' in one && one.$ref === '#/components/parameters/IdempotencyKey'),
      )
      .map(({ path, operation: { responses } }) => [path, '409' in responses]);
    expect(withKey).toEqual([
      ['/api/v1/svc/chats/{id}/messages', true],
      ['/api/v1/statuses', true],
    ]);
  });

  it('have the headers of a limit where the server sends them', async () => {
    const [limited, unlimited] = await Promise.all([
      app.http.get('/api/v1/timelines/public').expect(200),
      app.http.get('/api/v1/instance').expect(200),
    ]);
    const sent = (names: object) => RATE_LIMIT.filter((name) => name.toLowerCase() in names);
    expect(headers('get', '/api/v1/timelines/public')).toEqual(['Link', ...sent(limited.headers as object)]);
    expect(headers('get', '/api/v1/instance')).toEqual(sent(unlimited.headers as object));
    expect(statuses('get', '/api/v1/timelines/public')).toContain('429');
    const { responses } = document.components;
    expect(Object.keys(responses['TooManyRequests']!.headers!)).toEqual([...RATE_LIMIT, 'Retry-After']);
    expect(Object.keys(responses['Unavailable']!.headers!)).toEqual(['Retry-After']);
  });

  it('have a Link header for each list that is paged', () => {
    // The tests of wrong input do not call them as pages: they need a group, or the address of a page.
    const others = ['GET /api/v2/notifications/{group_key}/accounts', 'GET /api/v1/timelines/link'];
    const paged = Object.entries(INPUTS)
      .filter(([route, { paged: isPaged }]) => isPaged && !route.includes(' /api/svc/'))
      .map(([route]) => route.replace(/:(\w+)/g, '{$1}'));
    const linked = operationsOf(document)
      .filter(({ operation: one }) => headersOf(one).includes('Link'))
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(linked.sort()).toEqual([...paged, ...others].sort());
  });

  it('need scopes that the document explains', () => {
    const { flows } = document.components.securitySchemes.oauth2;
    for (const { scopes } of Object.values(flows)) expect(Object.keys(scopes)).toEqual(KNOWN_SCOPES);
    const needed = operationsOf(document).flatMap(({ operation: { security } }) =>
      security.flatMap(({ oauth2 = [] }) => oauth2),
    );
    expect(needed.filter((scope) => !KNOWN_SCOPES.includes(scope))).toEqual([]);
  });

  it('are grouped by the tags that the document lists', () => {
    const used = operationsOf(document).flatMap(({ operation: { tags } }) => tags);
    expect([...new Set(used)].sort()).toEqual(document.tags.map(({ name }) => name));
  });
});

/** The headers of a successful answer. */
function headersOf({ responses }: OpenApiOperation): string[] {
  const answer = responses['200'];
  return answer && 'headers' in answer ? Object.keys(answer.headers ?? {}) : [];
}
