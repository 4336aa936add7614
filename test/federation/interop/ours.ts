import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage } from '../../../bench/stage.ts';
import { Client } from './client.ts';
import type { Side } from './flows.ts';
import { picture } from '../../support/fixtures/media-files.ts';
import { EMOJI } from './peers.ts';

const PASSWORD = 'Correct-horse-battery-77';
const SCOPES = 'read write follow push';
const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

/** The public URL of our server, and the address at which it listens. */
export interface Place {
  readonly url: string;
  readonly address: string;
  readonly port: number;
}

/** Starts the built server with alice, bob and a custom emoji. */
export async function startOurs(stage: Stage, place: Place, reachable: readonly string[]): Promise<Side> {
  const settings = {
    BASE_URL: place.url,
    HOST: place.address,
    PORT: String(place.port),
    ALLOWED_PRIVATE_ADDRESSES: reachable.join(','),
    NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '', // the certificate of the lab
  };
  await stage.startServer(settings);
  await importEmoji(stage, settings);
  const signIn = async (nickname: string) => {
    const words = ['user', 'create', nickname, '--email', `${nickname}@mail.example`, '--password', PASSWORD];
    await stage.ctl(words, settings);
    return new Client('svc', place.url, await tokenOf(place.url, nickname));
  };
  const alice = await signIn('alice');
  const bob = await signIn('bob');
  return { name: 'svc', host: new URL(place.url).host, alice, bob, emoji: EMOJI, emojiLoads: true };
}

async function importEmoji(stage: Stage, settings: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-emoji-'));
  try {
    await writeFile(join(folder, `${EMOJI}.png`), await picture());
    await stage.ctl(['emoji', 'import', 'Interop', folder], settings);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function tokenOf(base: string, username: string): Promise<string> {
  const guest = new Client('svc', base, '');
  const wanted = { client_name: 'interop', redirect_uris: OUT_OF_BAND, scopes: SCOPES };
  const app = await guest.post<{ client_id: string; client_secret: string }>('/api/v1/apps', wanted);
  const grant = { grant_type: 'password', username, password: PASSWORD, scope: SCOPES };
  const credentials = { client_id: app.client_id, client_secret: app.client_secret };
  const answer = await guest.post<{ access_token: string }>('/oauth/token', { ...grant, ...credentials });
  return answer.access_token;
}
