import type { IncomingMessage } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type supertest from 'supertest';
import { AccountsService, FollowsService, UsersService } from '../../src/accounts/index.js';
import { Database, hashToken, newToken } from '../../src/platform/index.js';

/** Everything a signed-in user's app asks for. */
export const ALL_SCOPES = ['read', 'write', 'follow', 'push'] as const;
export const PASSWORD = 'correct horse battery';

export interface Person {
  readonly id: string;
  readonly nickname: string;
}

/** Answers that never end: what matters here is how they begin. */
const STREAMS = /^\/api\/v1\/streaming\/(?!health)/;

/** Reads the body, unless it is a stream: then it hangs up. */
function headOf(response: supertest.Response, done: (error: Error | null, body: unknown) => void): void {
  const message = response as unknown as IncomingMessage;
  if (message.headers['content-type'] === 'text/event-stream') {
    message.once('data', () => {
      message.destroy();
      done(null, {});
    });
    return;
  }
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.once('end', () => {
    const text = Buffer.concat(chunks).toString();
    Object.assign(response, { text });
    done(null, JSON.parse(text));
  });
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Values = Record<string, unknown>;

/** Requests of one token. `values` are the query of a GET and the JSON body of everything else. */
export type Client = Record<Method, (path: string, values?: Values) => supertest.Test> & { readonly token: string };

export interface PersonOptions {
  readonly admin?: boolean;
  readonly locked?: boolean;
}

/** Named people of one test server, their tokens and what they do to each other. */
export class World {
  private readonly people = new Map<string, Person>();
  private readonly tokens = new Map<string, string>();
  private appId: string | undefined;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly http: ReturnType<typeof supertest>,
  ) {}

  /** Makes a local person with the password {@link PASSWORD}. */
  async person(nickname: string, options: PersonOptions = {}): Promise<Person> {
    const users = this.app.get(UsersService, { strict: false });
    const { id } = await users.create({
      nickname,
      email: `${nickname}@mail.test`,
      password: PASSWORD,
      isAdmin: options.admin ?? false,
    });
    if (options.locked) await this.sql('update accounts set locked = true, version = version + 1 where id = $1', [id]);
    const person = { id, nickname };
    this.people.set(nickname, person);
    return person;
  }

  /** Makes several people at once. */
  async persons(...nicknames: string[]): Promise<void> {
    await Promise.all(nicknames.map((nickname) => this.person(nickname)));
  }

  /** The account id of a person made before. */
  id(nickname: string): string {
    const person = this.people.get(nickname);
    if (!person) throw new Error(`Nobody is called ${nickname} yet`);
    return person.id;
  }

  /** A client that is signed in as the person, with all user scopes unless some are named. */
  async as(nickname: string, ...scopes: string[]): Promise<Client> {
    return this.client(await this.token(this.id(nickname), scopes.length > 0 ? scopes : ALL_SCOPES));
  }

  /** A client without credentials. */
  get anonymous(): Client {
    return this.client('');
  }

  /** A client with an app's own token. */
  async asApp(...scopes: string[]): Promise<Client> {
    return this.client(await this.token(null, scopes.length > 0 ? scopes : ['read', 'write']));
  }

  /** Lets one person follow another through the service, as an accepted follow unless the other is locked. */
  async follow(follower: string, followee: string): Promise<void> {
    await this.app.get(FollowsService, { strict: false }).follow(this.id(follower), this.id(followee), {});
  }

  /** A remote account, as federation would store it. */
  async remote(nickname: string, domain: string): Promise<Person> {
    const id = `R${nickname}${domain}`
      .replace(/[^0-9A-Za-z]/g, '')
      .padEnd(18, '0')
      .slice(0, 18);
    await this.sql(
      `insert into accounts (id, nickname, domain, ap_id, url, inbox_url) values ($1, $2, $3, $4, $4, $4 || '/inbox')`,
      [id, nickname, domain, `https://${domain}/users/${nickname}`],
    );
    await this.sql('insert into account_stats (account_id) values ($1)', [id]);
    const person = { id, nickname: `${nickname}@${domain}` };
    this.people.set(person.nickname, person);
    return person;
  }

  /** The stored account, whatever its state. */
  account(nickname: string) {
    return this.app.get(AccountsService, { strict: false }).byId(this.id(nickname));
  }

  /** Forgets people and tokens, after the tables were emptied. */
  forget(): void {
    this.people.clear();
    this.tokens.clear();
    this.appId = undefined;
  }

  private client(token: string): Client {
    const send =
      (method: Method) =>
      (path: string, values: Values = {}) => {
        const request = this.http[method](path);
        if (STREAMS.test(path)) void request.buffer(true).parse(headOf);
        if (token) void request.set('authorization', `Bearer ${token}`);
        return method === 'get' ? request.query(values) : request.send(values);
      };
    return {
      token,
      get: send('get'),
      post: send('post'),
      put: send('put'),
      patch: send('patch'),
      delete: send('delete'),
    };
  }

  private async token(accountId: string | null, scopes: readonly string[]): Promise<string> {
    const key = `${accountId} ${scopes.join(' ')}`;
    const known = this.tokens.get(key);
    if (known) return known;
    const token = newToken();
    await this.sql(
      `insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
       values ($1, $2, $3, $4::text[], now() + interval '1 day')`,
      [await this.clientApp(), accountId, hashToken(token), scopes],
    );
    this.tokens.set(key, token);
    return token;
  }

  private async clientApp(): Promise<string> {
    if (this.appId) return this.appId;
    const [row] = await this.sql<{ id: string }>(
      `insert into oauth_apps (name, website, redirect_uris, scopes, client_id, client_secret)
       values ('Test app', 'https://app.test', '{urn:ietf:wg:oauth:2.0:oob}', '{read,write,follow,push,admin}', $1, $2) returning id`,
      [newToken(), newToken()],
    );
    this.appId = row!.id;
    return this.appId;
  }

  private sql<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.app.get(Database).query<Row>(text, values);
  }
}
