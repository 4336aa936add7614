import type supertest from 'supertest';
import type { Kind } from '../data/inputs.js';
import type { TestApp } from './servers/app.js';
import type { Endpoint } from './fixtures/endpoints.js';
import type { Client } from './fixtures/world.js';

const WRONG_IDS = [{ a: 'b' }, [{}], [['x']], [1.5], true, ['x'.repeat(65)]];

/** JSON values that a field of the kind rejects (threat H5). */
export const WRONG: Readonly<Record<Kind, readonly unknown[]>> = {
  text: [{ a: 'b' }, ['x'], 5, true],
  word: [{ a: 'b' }, ['x'], 5, true, 'no such word'],
  whole: [{ a: 'b' }, ['x'], 'soon', 1.5, 1e300, true],
  id: [{ a: 'b' }, ['x'], 1.5, true, 'x'.repeat(65)],
  ids: WRONG_IDS,
  'many ids': WRONG_IDS,
  texts: [{ a: 'b' }, [{}], [['x']], [5], 5, true],
  object: ['x', ['x'], 5, true],
  objects: ['x', ['x'], { a: {} }, 5, true],
  file: ['data:image/png;base64,AAAA', ['x'], { a: 'b' }, 5, true],
  picture: ['data:image/png;base64,AAA', 'data:image/png,AAAA', 'https://svc.test/a.png', ['x'], { a: 'b' }, 5, true],
  unsupported: ['x', ['x'], { a: 'b' }, 5, true],
};

/** Queries that give the field an object or a list of objects, which every kind rejects. */
export const WRONG_QUERIES = [(name: string) => `${name}[a]=b`, (name: string) => `${name}[a][b][]=c`];

/** A body with the value at a field's path, such as `fields_attributes.0.name`. */
export function bodyWith(path: string, value: unknown): Record<string, unknown> {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  return { [name]: rest.reduceRight<unknown>((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value) };
}

/** Ids that must not break a database or a path (threat H10). */
export const HOSTILE_IDS = [
  '0',
  '-1',
  '9223372036854775808',
  '18446744073709551616',
  '340282366920938463463374607431768211456',
  '9'.repeat(400),
  '1e9',
  '1.5',
  'NaN',
  'undefined',
  'null',
  '[object Object]',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' or 1=1 --",
  '%',
  '\\',
  '\r\nSet-Cookie: a=b',
  '🐈',
  'a\u202eb',
  'AAAAAAAAAAAAAAAAAAA',
];

/** Sends requests to routes with sufficient credentials and existing ids. */
export class Caller {
  constructor(
    private readonly app: TestApp,
    private readonly ids: Readonly<
      Record<'account' | 'chat' | 'message' | 'conversation' | 'list' | 'status' | 'uuid', string>
    >,
  ) {}

  /** The path with existing ids, or with `id` for each. */
  path({ path }: Endpoint, id?: string): string {
    const { account, chat, message, conversation, list, status, uuid } = this.ids;
    const known: Record<string, string> = {
      ':nickname': 'bob',
      ':uuid': uuid,
      ':version': '2.1',
      ':emoji': '👍',
      ':hashtag': 'tag1',
      ':list_id': list,
      ':account_id': account,
      ':message_id': message,
      ':method': 'totp',
    };
    const families: Record<string, string> = {
      accounts: account,
      lists: list,
      conversations: conversation,
      chats: chat,
    };
    const family = /\/(\w+)\/:/.exec(path)?.[1] ?? '';
    const plain = families[family] ?? status;
    return path.replace(/:\w+/g, (name) => encodeURIComponent(id ?? known[name] ?? plain));
  }

  async client({ access, scopes }: Endpoint): Promise<Client> {
    if (access === 'app' || access === 'token') return this.app.world.asApp(...scopes);
    if (access === 'admin') return this.app.world.as('root', ...scopes);
    return access === 'public' ? this.app.world.anonymous : this.app.world.as('alice');
  }

  /** A request to the route or to a changed path or query; `values` are the query of a GET, else the body. */
  async send(endpoint: Endpoint, path = this.path(endpoint), values: Record<string, unknown> = {}) {
    const client = await this.client(endpoint);
    const request = client[endpoint.method.toLowerCase() as 'get'](path, values);
    if (!endpoint.path.endsWith('/inbox')) return request;
    return request.set({ 'content-type': 'application/activity+json', signature: 'any' }); // unsigned, no body is read
  }
}

/** Expects a documented refusal: JSON with a text that reveals no internals (threat H22). */
export function expectRefusal(what: unknown, answer: supertest.Response, statuses: readonly number[]): void {
  const { status, text, headers } = answer;
  const error = textOf(answer.body);
  expect({ what, status, error: typeof error }).toEqual({
    what,
    status: statuses.includes(status) ? status : statuses,
    error: 'string',
  });
  expect(text).not.toMatch(/node_modules|\.[jt]s:\d|select |insert into|Error:/);
  expect(headers).not.toHaveProperty('set-cookie');
}

/** Some refusals are a bare JSON string, and those of credentials have a text for each field (spec §7). */
function textOf(body: unknown): unknown {
  if (typeof body === 'string') return body;
  const { error, errors = {} } = body as { error?: unknown; errors?: object };
  return error ?? Object.values(errors)[0];
}

/** The content of all tables with rows as one value. Those that never had one are not read: most of them, in most tests. */
export async function fingerprint(app: TestApp): Promise<Record<string, string>> {
  const used = await app.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  const digest = ({ name }: { name: string }) =>
    `select '${name}' as name, count(*) || ' rows, ' || sum(hashtextextended(t::text, 0)) as digest from "${name}" t`;
  const rows = await app.sql<{ name: string; digest: string | null }>(used.map(digest).join(' union all '));
  return Object.fromEntries(rows.flatMap(({ name, digest: found }) => (found === null ? [] : [[name, found]])));
}
