// Imports, backups and scrobbles.
import { ScrobbleRepository } from '../../dist/accounts/scrobbles/scrobble.repository.js';
import { ArchiveContentsRepository } from '../../dist/portability/backups/archive.repository.js';
import { BackupsRepository } from '../../dist/portability/backups/backups.repository.js';
import { ImportsRepository } from '../../dist/portability/imports/imports.repository.js';
import { accounts, posts, relations, some, somebody } from '../seeds.mjs';

export const title = 'Imports, backups and scrobbles';

export const rows =
  '1,000 local accounts, 100,000 import entries (a half of them due), 20,000 backups (10 of which were never made), 100,000 scrobbles (1,200 of one account), 60,000 follows, 100,000 posts, 100,000 favourites, 100,000 uploads.';

export const seed = `
  ${accounts(1000, 1000)}
  ${relations}
  ${posts(100000)}
  insert into import_entries (account_id, action, address, next_at)
  select id, 'follow', 'p' || k || '@far.test', now() + case when k % 2 = 0 then -1 else 1 end * interval '1 day'
  from accounts cross join generate_series(1, 100) k;
  insert into backups (account_id, file_key, processed, inserted_at)
  select id, 'key' || k, k < 20 or right(id, 2) <> '00', now() - k * interval '1 day' from accounts cross join generate_series(1, 20) k;
  insert into scrobbles (account_id, title, visibility)
  select case when n % 90 = 0 then 'a0001' else ${somebody('n % 1000 + 1')} end, 'song ' || n,
    case when n % 3 = 0 then 'private' else 'public' end
  from generate_series(1, 100000) n;
  insert into favourites (account_id, status_id)
  select ${somebody('n % 1000 + 1')}, ${some('n * 3 % 100000 + 1')} from generate_series(1, 100000) n;
  insert into attachments (account_id, type, mime_type, file_key)
  select ${somebody('n % 1000 + 1')}, 'image', 'image/png', 'file' || n from generate_series(1, 100000) n;
`;

const [ME, SOMEBODY] = ['a0001', 'a0500'];
const PAGE = { direction: 'older', below: '9223372036854775807', above: '0', limit: 40 };
const imports = (db) => new ImportsRepository(db);
const backups = (db) => new BackupsRepository(db);
const contents = (db) => new ArchiveContentsRepository(db);
const scrobbles = (db) => new ScrobbleRepository(db);

export const plans = [
  { name: 'Import entries of an account that are due', ask: (db) => imports(db).due(ME, 100) },
  { name: 'Accounts with import entries that are due', ask: (db) => imports(db).accountsWithDue(1000) },
  { name: 'Backups of an account', ask: (db) => backups(db).ofAccount(ME) },
  { name: 'Backups that are stale', ask: (db) => backups(db).removeStale(30, 500), note: 'Ten of 20,000.' },
  { name: 'Archive: people followed', ask: (db) => contents(db).following(ME, '0', 500) },
  { name: 'Archive: favourites', ask: (db) => contents(db).likes(ME, '0', 500) },
  { name: 'Archive: uploads', ask: (db) => contents(db).files(ME, '0', 500) },
  {
    name: 'Scrobbles of an account',
    note: 'As somebody else sees them.',
    ask: (db) => scrobbles(db).page(ME, SOMEBODY, PAGE, 0),
  },
  { name: 'Scrobbles beyond those kept', ask: (db) => scrobbles(db).keepNewest(ME, 1000) },
];
