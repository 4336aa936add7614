import { createSocket } from 'node:dgram';

const TIME_SERVER = 'pool.ntp.org';
const TIME_MS = 3_000;
const PACKET_BYTES = 48;
/** Version 3, mode "client" (RFC 4330 §4). */
const CLIENT = 0x1b;
/** Where the answer holds the time at which it was sent, in seconds since 1900. */
const SENT_AT = 40;
const SECONDS_1900_TO_1970 = 2_208_988_800;
/** After so many seconds, in 2036 and again later, that time begins anew. */
const ERA_SECONDS = 2 ** 32;

/** How many seconds this machine's clock is ahead of a public time server (RFC 4330); undefined without an answer. */
export async function clockOffset(server = TIME_SERVER, port = 123): Promise<number | undefined> {
  const socket = createSocket('udp4');
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const timer = setTimeout(() => resolve(undefined), TIME_MS);
  socket.on('error', () => resolve(undefined));
  socket.on('message', (packet) => {
    const isTime = packet.length >= PACKET_BYTES;
    resolve(isTime ? secondsAheadOf(packet.readUInt32BE(SENT_AT)) : undefined);
  });
  const question = Buffer.alloc(PACKET_BYTES);
  question[0] = CLIENT;
  socket.send(question, port, server, (error) => error && resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

function secondsAheadOf(sentAt: number): number {
  const ahead = Date.now() / 1000 + SECONDS_1900_TO_1970 - sentAt;
  return ahead - ERA_SECONDS * Math.round(ahead / ERA_SECONDS);
}
