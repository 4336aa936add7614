import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { clockOffset } from './clock.js';

const SECONDS_1900_TO_1970 = 2_208_988_800;

describe('clockOffset', () => {
  let server: Socket;
  beforeEach(async () => {
    server = createSocket('udp4').bind(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    server.close();
  });

  const answer = (packet: () => Buffer) =>
    server.on('message', (_question, { port, address }) => server.send(packet(), port, address));

  it.each([0, 3_600, -90])('is %i seconds', async (seconds) => {
    answer(() => {
      const packet = Buffer.alloc(48);
      packet.writeUInt32BE(Math.floor(Date.now() / 1000) + SECONDS_1900_TO_1970 - seconds, 40);
      return packet;
    });
    const offset = await clockOffset('127.0.0.1', server.address().port);
    expect(Math.round(offset! / 10) * 10).toBe(seconds);
  });

  it.each([0, 90, -90])('is %i seconds after that time begins anew in 2036', async (seconds) => {
    const now = Date.parse('2036-02-07T06:30:00Z');
    jest.spyOn(Date, 'now').mockReturnValue(now);
    answer(() => {
      const packet = Buffer.alloc(48);
      packet.writeUInt32BE((now / 1000 + SECONDS_1900_TO_1970 - seconds) % 2 ** 32, 40);
      return packet;
    });
    expect(await clockOffset('127.0.0.1', server.address().port)).toBe(seconds);
  });

  it('is unknown without a time server', async () => {
    answer(() => Buffer.alloc(3)); // no time in it
    expect(await clockOffset('127.0.0.1', server.address().port)).toBeUndefined();
  });
});
