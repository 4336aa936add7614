import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/support/eventually.js';
import type { Body } from '../routing/request.js';
import { type BodyOptions, MAX_BODY_BYTES, readBody } from './body.js';
import { Invalid } from '../errors/errors.js';

let folder: string;
let server: Server;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slow-'));
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

interface Sent {
  readonly client: Socket;
  readonly request: IncomingMessage;
  readonly read: Promise<Body>;
}

/** Sends the beginning of a body to a server that reads it. */
async function send(type: string, length: number, begun: string, files?: BodyOptions['files']): Promise<Sent> {
  const arrived = once(server, 'request');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${begun}`);
  const [request] = (await arrived) as [IncomingMessage];
  const read = readBody(request, { files, maxBytes: MAX_BODY_BYTES, newPath: () => join(folder, 'upload') });
  read.catch(() => undefined);
  return { client, request, read };
}

it('H24 cuts off an upload after a long pause and leaves nothing on disk', async () => {
  const begun = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nthe beginning of it';
  const files = { maxFiles: 1, maxBytes: () => 100_000 };
  const { client, request, read } = await send('multipart/form-data; boundary=b', 100_000, begun, files);
  await eventually(async () => expect(await readdir(folder)).toEqual(['upload']));
  const ended = once(client, 'close');
  request.emit('timeout'); // as Node does after the pause
  await ended;
  await expect(read).rejects.toThrow(Invalid);
  expect(await readdir(folder)).toEqual([]);
});

it('H25 cuts off the oldest body when bodies exceed the memory', async () => {
  const begun = `{"a":"${'x'.repeat(1_000_000)}`;
  const all: Sent[] = [];
  for (let count = 0; count < 9; count += 1) {
    const sent = await send('application/json', begun.length + 2, begun);
    await eventually(() => expect(sent.request.socket.bytesRead).toBeGreaterThan(begun.length));
    all.push(sent);
  }
  const [first, ...others] = all as [Sent, ...Sent[]];
  await expect(first.read).rejects.toThrow(Invalid);
  for (const { client } of others) client.write('"}');
  expect(await Promise.all(others.map(({ read }) => read))).toHaveLength(8);
});
