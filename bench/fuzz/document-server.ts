import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ACTIVITY = 'application/activity+json';

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Another server, which answers with documents; the server under attack has to allow its address. */
export class DocumentServer implements AsyncDisposable {
  readonly address: string;
  private readonly documents = new Map<string, { readonly type: string; readonly body: string }>();
  private readonly server: Server = createServer(({ url = '' }, response) => {
    const document = this.documents.get(url);
    if (!document) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': document.type }).end(document.body);
  });

  /** @param address an address of this machine, such as 127.6.0.1 */
  constructor(address: string) {
    this.address = address;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, this.address, resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get origin(): string {
    return `http://${this.address}:${(this.server.address() as AddressInfo).port}`;
  }

  /** Serves an actor, whom WebFinger names for its handle; returns its id. */
  addActor(name: string, members: Members = {}): string {
    const id = `${this.origin}/actors/${name}`;
    this.nameActor(name, id);
    return this.add(id, { id, type: 'Person', preferredUsername: name, inbox: `${id}/inbox`, ...members });
  }

  /** Lets WebFinger name an actor for a handle of this server. */
  nameActor(name: string, id: string): void {
    const subject = `acct:${name}@${new URL(this.origin).host}`;
    const links = [{ rel: 'self', type: ACTIVITY, href: id }];
    const path = `/.well-known/webfinger?resource=${encodeURIComponent(subject)}`;
    this.addText(path, 'application/jrd+json', JSON.stringify({ subject, links }));
  }

  /** Serves a document of ActivityStreams under its id; returns that. */
  add(id: string, members: Members): string {
    const body = JSON.stringify({ '@context': 'https://www.w3.org/ns/activitystreams', ...members });
    this.addText(new URL(id).pathname, ACTIVITY, body);
    return id;
  }

  addText(path: string, type: string, body: string): void {
    this.documents.set(path, { type, body });
  }

  remove(id: string): void {
    this.documents.delete(new URL(id).pathname);
  }
}
