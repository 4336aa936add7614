import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { picture } from '../../support/fixtures/media-files.ts';
import { Client } from './client.ts';
import type { Side } from './flows.ts';

/** The shortcode of the custom emoji that every server gets. */
export const EMOJI = 'interop';

/** The tested servers by their names in the folder, in the order of the table. */
export const PEERS = { gts: 'GoToSocial', mitra: 'Mitra', snac: 'snac2' } as const;
export type PeerName = keyof typeof PEERS;

/** A started server of the folder, as `peers env` prints it. */
interface Facts {
  readonly BASE_URL: string;
  readonly TOKEN: string;
  readonly BOB_TOKEN: string;
  readonly SERVER_PID: string;
}

/**
 * Other servers, started by the program `peers` of a folder: `up NAME…` starts them with fresh data, `seed NAME…` makes
 * alice and bob, `env NAME` prints {@link Facts}, `status` where each is, `down` ends them.
 */
export class PeersFolder {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async start(names: readonly PeerName[]): Promise<void> {
    await this.peers('down');
    await this.peers('up', ...names);
    await this.peers('seed', ...names);
  }

  stop(): Promise<void> {
    return this.peers('down');
  }

  /** Whether the servers run as https://NAME.test in a closed network, because port 80 is not available. */
  isLab(): boolean {
    return execFileSync(join(this.folder, 'peers'), ['status'], { encoding: 'utf8' }).includes('in the lab');
  }

  /** Runs a command in the closed network; returns its exit code. */
  async inLab(command: readonly string[]): Promise<number> {
    const child = spawn(join(this.folder, 'lab/lab.sh'), ['run', ...command], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  }

  async side(name: PeerName, lab: boolean): Promise<Side> {
    const facts = this.facts(name);
    const url = lab ? `https://${name}.test` : facts.BASE_URL;
    await emojiMakers[name]({ ...facts, BASE_URL: url });
    return {
      name: PEERS[name],
      host: new URL(url).host,
      alice: new Client(PEERS[name], url, facts.TOKEN),
      bob: new Client(PEERS[name], url, facts.BOB_TOKEN),
      emoji: EMOJI,
      emojiLoads: name !== 'snac' || lab,
    };
  }

  private facts(name: PeerName): Facts {
    const lines = execFileSync(join(this.folder, 'peers'), ['env', name], { encoding: 'utf8' });
    const pairs = [...lines.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, key, value]) => [key, value]);
    return Object.fromEntries(pairs) as Facts;
  }

  private async peers(...words: string[]): Promise<void> {
    const child = spawn(join(this.folder, 'peers'), words, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`peers ${words.join(' ')} failed`);
  }
}

const ADMIN_TOKEN = 'ADM1N'.repeat(8);

/** Adds the emoji by the tools of each server, because none of them has an API route that alice may use. */
const emojiMakers: Record<PeerName, (facts: Facts) => Promise<void>> = {
  gts: async ({ BASE_URL, TOKEN, SERVER_PID }) => {
    const { folder, program } = processOf(SERVER_PID);
    const account = async (...words: string[]) => {
      const options = ['--config-path', join(folder, 'config.yaml'), 'admin', 'account', ...words];
      await promisify(execFile)(program, [...options, '--username', 'admin'], { cwd: folder });
    };
    await account('create', '--email', 'admin@example.org', '--password', 'Correct-horse-battery-77');
    await account('promote');
    using database = new DatabaseSync(join(folder, 'sqlite.db'));
    database
      .prepare(
        `insert into tokens (id, client_id, user_id, redirect_uri, scope, access, access_create_at)
         select substr(?1, 1, 26), t.client_id, u.id, t.redirect_uri, 'read write admin', ?1, t.access_create_at
         from tokens t, users u where t.access = ?2 and u.email = 'admin@example.org'`,
      )
      .run(ADMIN_TOKEN, TOKEN);
    const admin = new Client(PEERS.gts, BASE_URL, ADMIN_TOKEN);
    const file = { name: 'image', content: await picture() };
    await admin.form('/api/v1/admin/custom_emojis', { shortcode: EMOJI }, file);
  },
  mitra: async ({ SERVER_PID }) => {
    const { folder, program } = processOf(SERVER_PID);
    const path = join(folder, `${EMOJI}.png`);
    writeFileSync(path, await picture());
    const env = { ...process.env, CONFIG_PATH: join(folder, 'config.yaml') };
    await promisify(execFile)(program, ['add-emoji', EMOJI, path], { cwd: folder, env });
  },
  snac: async ({ BASE_URL, SERVER_PID }) => {
    const data = join(processOf(SERVER_PID).folder, 'data');
    mkdirSync(join(data, 'user/alice/static'), { recursive: true });
    writeFileSync(join(data, `user/alice/static/${EMOJI}.png`), await picture());
    const path = join(data, 'emojis.json');
    const emojis = JSON.parse(existsSync(path) ? readFileSync(path, 'utf8') : '{}') as Record<string, string>;
    const url = new URL(`/alice/s/${EMOJI}.png`, BASE_URL.replace('http:', 'https:')); // snac2 accepts https only
    writeFileSync(path, JSON.stringify({ ...emojis, [`:${EMOJI}:`]: url.href }));
  },
};

function processOf(pidFile: string): { folder: string; program: string } {
  const pid = readFileSync(pidFile, 'utf8').trim();
  return { folder: dirname(pidFile), program: readlinkSync(`/proc/${pid}/exe`) };
}
