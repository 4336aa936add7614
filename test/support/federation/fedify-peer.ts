import { randomUUID, type webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type Context,
  createFederation,
  type Federation,
  generateCryptoKeyPair,
  type HttpMessageSignaturesSpec,
  MemoryKvStore,
} from '@fedify/fedify';
import {
  Accept,
  type Activity,
  Activity as AnyActivity,
  Endpoints,
  Follow,
  Note,
  Person,
  Tombstone,
} from '@fedify/vocab';
import { freePort } from '../servers/free-port.js';
import type { Actor } from './servers.js';

const NAME = 'fay';
type Constructor<T> = abstract new (...values: never[]) => T;

/**
 * A server with one person, built on Fedify: an implementation of ActivityPub, HTTP signatures and JSON-LD that shares
 * no code with ours. It has no queue: `send` ends when the receiver has answered, and fails when it refused.
 */
export class FedifyPeer implements Actor {
  /** Activities whose signature Fedify found valid. */
  readonly received: Activity[] = [];
  readonly notes = new Map<string, Note | Tombstone>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  private constructor(
    readonly url: string,
    private readonly federation: Federation<null>,
  ) {}

  /** @param firstKnock how it signs requests to a server that it does not know yet */
  static async start(firstKnock: HttpMessageSignaturesSpec = 'rfc9421'): Promise<FedifyPeer> {
    const port = await freePort();
    const federation = createFederation<null>({ kv: new MemoryKvStore(), allowPrivateAddress: true, firstKnock });
    const peer = new FedifyPeer(`http://127.0.0.1:${port}`, federation);
    await peer.describe();
    await new Promise<void>((resolve) => peer.server.listen(port, '127.0.0.1', resolve));
    return peer;
  }

  get uri(): string {
    return `${this.url}/users/${NAME}`;
  }

  get handle(): string {
    return `${NAME}@${new URL(this.url).host}`;
  }

  get context(): Context<null> {
    return this.federation.createContext(new URL(this.url), null);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Fetches an object with a signature of this peer, and reads it as JSON-LD. */
  async lookup(uri: string) {
    const documentLoader = await this.context.getDocumentLoader({ identifier: NAME });
    return this.context.lookupObject(uri, { documentLoader });
  }

  /** Sends an activity to one actor; fails when the inbox refuses it. */
  async send(activity: Activity, receiver: Actor): Promise<void> {
    const actor = await this.lookup(receiver.uri);
    if (!(actor instanceof Person)) throw new Error(`${receiver.uri} is no person`);
    await this.context.sendActivity({ identifier: NAME }, actor, activity);
  }

  /** Received activities of a type. */
  of<T extends Activity>(type: Constructor<T>): T[] {
    return this.received.filter((activity): activity is T => activity instanceof type);
  }

  /** A new address on this server. */
  newUri(kind = 'activities'): URL {
    return new URL(`/${kind}/${randomUUID()}`, this.url);
  }

  private async describe(): Promise<void> {
    const newKeys = (kind: 'RSASSA-PKCS1-v1_5' | 'Ed25519') =>
      generateCryptoKeyPair(kind) as Promise<webcrypto.CryptoKeyPair>; // declared with the type of browsers
    const keys = await Promise.all([newKeys('RSASSA-PKCS1-v1_5'), newKeys('Ed25519')]);
    this.federation
      .setActorDispatcher('/users/{identifier}', async (context, identifier) => {
        if (identifier !== NAME) return null;
        const pairs = await context.getActorKeyPairs(identifier);
        return new Person({
          id: context.getActorUri(identifier),
          preferredUsername: identifier,
          name: 'Fay of Fedify',
          url: context.getActorUri(identifier),
          inbox: context.getInboxUri(identifier),
          outbox: new URL(`/users/${identifier}/outbox`, this.url),
          endpoints: new Endpoints({ sharedInbox: context.getInboxUri() }),
          publicKey: pairs[0]!.cryptographicKey,
          assertionMethods: pairs.map(({ multikey }) => multikey),
        });
      })
      .setKeyPairsDispatcher((_context, identifier) => (identifier === NAME ? keys : []));
    this.federation.setObjectDispatcher(Note, '/notes/{id}', (_context, { id }: { id: string }) => {
      const note = this.notes.get(new URL(`/notes/${id}`, this.url).href);
      return note instanceof Note ? note : null;
    });
    this.federation
      .setInboxListeners('/users/{identifier}/inbox', '/inbox')
      .on(Follow, async (context, follow) => {
        this.received.push(follow);
        const follower = await follow.getActor(context);
        const accept = new Accept({ id: this.newUri(), actor: follow.objectId, object: follow });
        if (follower) await context.sendActivity({ identifier: NAME }, follower, accept);
      })
      .on(AnyActivity, (_context, activity) => void this.received.push(activity));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/' } = request;
    const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const received = new Request(new URL(url, this.url), { method, headers, ...body });
    const answer = await this.federation.fetch(received, { contextData: null });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  }
}
