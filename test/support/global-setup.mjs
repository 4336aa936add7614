// One throw-away PostgreSQL for the whole run, with one migrated database that each test file clones.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export const TEMPLATE = 'template_svc';

const dist = (path) => new URL(`../../dist/${path}`, import.meta.url);

let running;

/** Nothing must survive a crash, and 3 workers with several servers each connect at once. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  max_wal_size: '256MB',
};

const MEMORY = '/dev/shm';
/** What a whole run may need. */
const ROOMY_BYTES = 2 * 1024 ** 3;

export default async function setup() {
  if (process.env.TEST_DATABASE_ADDRESS) return; // several runs share one (scripts/prove-tests.mjs)
  if (!existsSync(dist('platform.embedded.embedded.js'))) {
    throw new Error('The tests run on the built server: run `npm run build` first.');
  }
  const folder = await mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), 'svc-test-'));
  const guard = startGuard(folder);
  const { EmbeddedPostgres } = await import(dist('platform.embedded.embedded.js').href);
  const postgres = await EmbeddedPostgres.startOrJoin({
    dataDir: folder,
    socketDir: join(folder, 'socket'),
    settings: SETTINGS,
  });
  running = { postgres, folder, guard };
  process.env.TEST_DATABASE_ADDRESS = JSON.stringify(postgres.address);
  await prepareTemplate(postgres.address);
}

export async function teardown() {
  if (!running) return;
  const { postgres, folder, guard } = running;
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  guard.stdin.end();
}

/** A clone of the template is 900 files: a disk takes half a second for it, memory a tenth of that. */
async function hasRoom(folder) {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= ROOMY_BYTES;
  } catch {
    return false;
  }
}

/** Stops the database and removes its folder as soon as our pipe breaks, after any end. */
function startGuard(folder) {
  const script = fileURLToPath(new URL('guard.sh', import.meta.url));
  const guard = spawn('sh', [script, folder], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  guard.stdin.unref?.();
  return guard;
}

async function prepareTemplate(address) {
  if (!existsSync(dist('migrate.js'))) return;
  const client = new pg.Client(address);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const { migrate } = await import(dist('migrate.js').href);
  await migrate({ ...address, database: TEMPLATE });
}
