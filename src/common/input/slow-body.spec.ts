import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { readBody } from './body.js';
import { Invalid } from '../errors/errors.js';

describe('H24 an upload that pauses for too long', () => {
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

  it('is cut off, fails, and leaves nothing on disk', async () => {
    const arrived = once(server, 'request');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nthe beginning of it',
    );
    const [request] = (await arrived) as [IncomingMessage];
    const files = { maxFiles: 1, maxBytes: () => 100_000 };
    const read = readBody(request, { files, newPath: () => join(folder, 'upload') });
    read.catch(() => undefined);
    await eventually(async () => expect(await readdir(folder)).toEqual(['upload']));
    const ended = once(client, 'close');
    request.emit('timeout'); // as node does after the pause
    await ended;
    await expect(read).rejects.toThrow(Invalid);
    expect(await readdir(folder)).toEqual([]);
  });
});
