import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request whose head a server has, and whose body comes later. */
export class BegunRequest {
  private constructor(
    private readonly socket: Socket,
    private readonly body: string,
  ) {}

  /** Sends the head of a request, and waits until the server asks for the body (`100 Continue`, RFC 9110 §10.1.1). */
  static async post(port: number, path: string, token: string, values: object): Promise<BegunRequest> {
    const socket = connect(port, '127.0.0.1');
    const body = JSON.stringify(values);
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Expect: 100-continue',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await once(socket, 'data');
    return new BegunRequest(socket, body);
  }

  /** Sends the body; returns the answer, or what went wrong. */
  finish(): Promise<string> {
    const answer = text(this.socket).catch(String);
    this.socket.write(this.body);
    return answer;
  }
}
