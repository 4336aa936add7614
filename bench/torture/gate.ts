import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** A proxy in front of a database or a Redis, which can redirect, or stop to pass anything on. */
export class Gate implements AsyncDisposable {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isHeld = false;
  private target: NetConnectOpts;

  private constructor(target: NetConnectOpts) {
    this.target = target;
    this.server = createServer((client) => this.join(client, connect(this.target)));
  }

  static async open(target: NetConnectOpts): Promise<Gate> {
    const gate = new Gate(target);
    gate.server.listen(0, '127.0.0.1');
    await once(gate.server, 'listening');
    return gate;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends all connections; later ones lead to `target`. */
  redirect(target: NetConnectOpts): void {
    this.target = target;
    for (const socket of this.sockets) socket.destroy();
  }

  /** From now on bytes go nowhere, and no connection is closed: a network that is torn. */
  hold(): void {
    this.isHeld = true;
    for (const socket of this.sockets) socket.pause();
  }

  release(): void {
    this.isHeld = false;
    for (const socket of this.sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, inside: Socket): void {
    this.pass(client, inside);
    this.pass(inside, client);
  }

  private pass(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
    if (this.isHeld) from.pause();
  }
}
