// Lists the rows of test/data/endpoints.tsv that got a real 2xx in behaviour tests. Prints `N rows, N with a real 2xx, N without`
// and the rows without; exits with 1 when there are any. With `--read <folder>` it reads the records of an earlier run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JEST } from './jest.mjs';

const WHERE = ['test/api', 'test/clients', 'test/streaming', 'test/rules/visibility', 'test/rules/parties'];
/** Rows that never answer 2xx by the contract. */
const NEVER = new Map([
  ['GET /api/v1/streaming', 'answers 101 to a WebSocket and 426 to everything else'],
  ['GET /socket/websocket', 'answers 101 to a WebSocket and 426 to everything else'],
  ['GET /api/v1/featured_tags', 'answers 404: not implemented (spec §4.3)'],
  ['POST /api/v1/emails/confirmations', 'answers 403: who has a token has a confirmed address'],
  ['GET /api/account/confirm_email/:user_id/:token', 'answers 302: it leads to a page'],
  ['POST /main/ostatus', 'answers 302: it leads to a page of another server'],
  ['POST /ostatus_subscribe', 'answers 302: it leads to a page'],
  ['GET /authorize_interaction', 'answers 302: it leads to a page'],
  ['POST /oauth/mfa/verify', 'answers 302: it leads back to the app'],
  ['POST /auth/sign_out', 'answers 303: it leads to a page'],
  ['POST /auth/account/email', 'answers 303: it leads to a page'],
  ['POST /auth/account/data', 'answers 303: it leads to a page'],
  ['POST /auth/account/move', 'answers 303: it leads to a page'],
  ['GET /public', 'answers 302: it is the other name of /main/public'],
  ['GET /.well-known/change-password', 'answers 302: it leads to the page of the password'],
  ['GET /app', 'answers 302: it leads to the page that people begin with'],
  ['POST /frontend_switcher', 'answers 302: it leads to the chosen frontend'],
]);

const [flag, given] = process.argv.slice(2);
const folder = flag === '--read' ? given : mkdtempSync(join(tmpdir(), 'svc-rows-'));
if (flag !== '--read') runTests();

const [, ...lines] = readFileSync('test/data/endpoints.tsv', 'utf8').trimEnd().split('\n');
const rows = lines.map((line) => line.split('\t')).filter((cells) => cells[4] === 'built');
const seen = new Set(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
const answered = ([method, path]) =>
  bothPrefixes(path).some((one) => seen.has(`${method} ${one}`)) || NEVER.has(`${method} ${path}`);
const without = rows.filter((row) => !answered(row));

for (const [row, why] of NEVER) console.log(`excepted: ${row} ${why}`);
for (const [method, path] of without) console.log(`without a 2xx: ${method} ${path}`);
console.log(`${rows.length} rows, ${rows.length - without.length} with a real 2xx, ${without.length} without`);
if (flag !== '--read') rmSync(folder, { recursive: true });
process.exit(without.length === 0 ? 0 : 1);

function bothPrefixes(path) {
  const rest = /^\/api\/(?:v1\/)?svc\/(.*)$/.exec(path)?.[1];
  return rest === undefined ? [path] : [`/api/v1/svc/${rest}`, `/api/svc/${rest}`];
}

function runTests() {
  const { status } = spawnSync(process.execPath, [...JEST, ...WHERE], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ROWS_LEDGER: folder },
  });
  if (status !== 0) process.exit(status ?? 1);
}
