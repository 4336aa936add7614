import type { Chance } from '../chance.ts';
import type { Data } from '../data.ts';
import type { Route } from './routes.ts';

const LONG = 70_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Texts that break parsers, databases and paths. */
const TEXTS = [
  ...['', ' ', '0', '-1', '1e309', 'NaN', 'null', 'true', '[object Object]', '__proto__', 'constructor', '%', '%00'],
  ...['\0', '\ud800', '\r\nSet-Cookie: a=b', '\u202e', '🐈', "' or 1=1 --", '<script>alert(1)</script>', '\\', '../..'],
  ...['9223372036854775808', '9'.repeat(400), '00000000000000000z', 'AAAAAAAAAAAAAAAAAAA', '2999-13-45T99:99:99Z'],
  ...['@a@b.invalid', '@'.repeat(5_000), '#'.repeat(5_000), 'https://b.invalid/x', 'http://127.0.0.1:1/', 'data:,x'],
  ...[
    '['.repeat(3_000),
    '*_'.repeat(3_000),
    ':a:'.repeat(3_000),
    'a'.repeat(LONG),
    'é'.repeat(6_000),
    'a.b'.repeat(2_000),
  ],
];
const HEADERS = [
  'Accept: text/html',
  'Accept: application/activity+json',
  `Accept: ${'a/b;q=0.1,'.repeat(400)}*/*`,
  'Range: bytes=0-0,-1,9-1',
  'If-None-Match: *',
  'If-Modified-Since: never',
  `Idempotency-Key: ${'k'.repeat(300)}`,
  'X-Forwarded-For: 203.0.113.9, unknown',
  'Forwarded: for="[::]"',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: tea',
  'Upgrade: websocket',
  'Cookie: _svc_key=x',
  `X-Long: ${'x'.repeat(15_000)}`,
  `X-Longer: ${'x'.repeat(40_000)}`,
  'Authorization: Bearer \u0080',
  'Authorization: Basic !!!',
  'Signature: keyId="x",signature="!"',
];
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'text/plain',
  'application/json; charset=utf-7',
];

/** A client's behaviour on one connection. */
export interface Attack {
  readonly bytes: Buffer;
  /** The first line of the first request, for a report. */
  readonly label: string;
  /** Disconnects after sending, without reading an answer. */
  readonly leaves: boolean;
}

/** Makes hostile requests to the routes of the API: wrong methods, types, encodings, lengths and headers, whole or truncated. */
export class Attacker {
  private readonly chance: Chance;
  private readonly routes: readonly Route[];
  private readonly data: Data;

  constructor(chance: Chance, routes: readonly Route[], data: Data) {
    this.chance = chance;
    this.routes = routes;
    this.data = data;
  }

  next(): Attack {
    const request = this.request();
    const label = request.toString('latin1', 0, 200).split('\r\n', 1)[0]!;
    if (this.chance.percent(3)) {
      const copies = Array.from({ length: this.chance.below(300) }, () => request);
      return { bytes: Buffer.concat([...copies, request]), label, leaves: this.chance.percent(50) };
    }
    if (!this.chance.percent(5)) return { bytes: request, label, leaves: false };
    return { bytes: request.subarray(0, this.chance.below(request.length)), label, leaves: true };
  }

  private request(): Buffer {
    const { chance } = this;
    const route = chance.pick(this.routes);
    const method = chance.percent(90) ? route.method : chance.pick(METHODS);
    const hasBody = chance.percent(method === 'GET' ? 5 : 80);
    const query = hasBody && chance.percent(70) ? '' : `?${this.form(route)}`;
    const target = `${this.path(route)}${query}`.slice(0, chance.percent(99) ? 8_000 : LONG);
    const type = chance.percent(85) ? TYPES[chance.below(3)]! : chance.pick(TYPES);
    const body = hasBody ? this.body(route, type) : '';
    const lines = [
      `${method} ${target} HTTP/1.1`,
      ...this.headers(),
      ...(hasBody ? [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`] : []),
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }

  private headers(): string[] {
    const { chance, data } = this;
    const token = chance.pick([data.reader, data.celebrity]);
    const likely = [
      [99, 'Host: fuzz.test'],
      [75, `Authorization: Bearer ${token}`],
      [15, chance.pick(HEADERS)],
      [50, 'Connection: close'],
    ] as const;
    return likely.filter(([share]) => chance.percent(share)).map(([, header]) => header);
  }

  private path({ path }: Route): string {
    const { chance, data } = this;
    const known = [...data.statusIds, ...data.accountIds, ...data.nicknames, data.listId];
    return path.replace(/[:*]\w+/g, () =>
      chance.percent(60) ? chance.pick(known) : encodeLoosely(this.text()).slice(0, 2_000),
    );
  }

  private text(): string {
    const { chance } = this;
    if (chance.percent(20)) return chance.text(chance.below(30));
    return chance.percent(30) ? String(chance.below(1_000) - 500) : chance.pick(TEXTS);
  }

  private fields({ fields }: Route): string[] {
    const names = fields.length === 0 ? ['id', 'limit', 'max_id', 'q'] : fields;
    return names.filter(() => this.chance.percent(60));
  }

  private form(route: Route): string {
    const shapes = ['', '[]', '[0]', '[a]', '[a][b][]', '['];
    return this.fields(route)
      .map((name) => {
        const shape = this.chance.percent(75) ? '' : this.chance.pick(shapes);
        return `${name}${shape}=${encodeLoosely(this.text())}`;
      })
      .join('&');
  }

  private body(route: Route, type: string): string {
    const { chance } = this;
    if (chance.percent(3)) return '['.repeat(100_000);
    if (type.startsWith('application/json')) {
      const text = JSON.stringify(Object.fromEntries(this.fields(route).map((name) => [name, this.value(2)])));
      return chance.percent(95) ? text : text.slice(0, chance.below(text.length + 1));
    }
    if (!type.startsWith('multipart')) return this.form(route);
    const parts = this.fields(route).map((name) => {
      const file = chance.percent(40) ? '; filename="a.png"\r\nContent-Type: image/png' : '';
      return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${this.text()}\r\n`;
    });
    return `${parts.join('')}${chance.percent(95) ? '--b--\r\n' : ''}`;
  }

  private value(depth: number): unknown {
    const { chance } = this;
    if (depth > 0 && chance.percent(15)) return Array.from({ length: chance.below(5) }, () => this.value(depth - 1));
    if (depth > 0 && chance.percent(10)) return { [chance.pick(TEXTS)]: this.value(depth - 1), id: this.value(0) };
    return chance.pick<() => unknown>([
      () => this.text(),
      () => this.text(),
      () => chance.below(1_000) - 500,
      () => 1e300,
      () => null,
      () => chance.percent(50),
      () => chance.pick(this.data.statusIds),
      () => chance.pick(this.data.accountIds),
    ])();
  }
}

/** Percent-encodes any text, even an ill-formed one. */
function encodeLoosely(text: string): string {
  return text.toWellFormed() === text ? encodeURIComponent(text) : '%ed%a0%80%ff';
}
