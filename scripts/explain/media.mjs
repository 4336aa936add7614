// Banned files of other servers: 50,000. Files of accounts: 300,000, and 50,000 profile pictures.

import { picturePathsOf } from '../../dist/media.storage.media-urls.js';

export const title = 'Media';

export const rows =
  '50,000 banned files. 50,000 remote accounts, of which 10,000 have the default avatar of their server, 300,000 files of their posts and 50,000 uploads; every 50th account is deactivated.';

export const seed = `
  insert into banned_media (digest, url)
  select sha256(convert_to(url, 'UTF8')), url
  from (select 'https://' || md5(n::text) || '.example/' || n || '.png' as url from generate_series(1, 50000) n) files;
  insert into accounts (id, nickname, domain, ap_id, avatar_url, header_url, deactivated_at)
  select 'a' || lpad(n::text, 6, '0'), 'n' || n, case when n > 1000 then 'h' || n % 500 || '.test' end,
    'https://h' || n % 500 || '.test/users/' || n,
    case when n > 40000 then 'https://big.test/missing.png' else 'https://h' || n % 500 || '.test/avatars/' || n || '.png' end,
    'https://h' || n % 500 || '.test/headers/' || n || '.png', case when n % 50 = 7 then now() end
  from generate_series(1, 50000) n;
  insert into users (account_id, password_hash, email, is_approved, is_confirmed)
  select id, '', id || '@mail.test', true, true from accounts where domain is null;
  insert into attachments (account_id, type, mime_type, remote_url)
  select 'a' || lpad((n % 49000 + 1001)::text, 6, '0'), 'image', 'image/png', 'https://files.test/' || n || '.png'
  from generate_series(1, 300000) n;
  insert into attachments (account_id, type, mime_type, file_key, thumbnail_key)
  select 'a' || lpad((n % 1000 + 1)::text, 6, '0'), 'image', 'image/png', 'ab/' || md5(n::text) || '.png', 'ab/' || md5((-n)::text) || '.webp'
  from generate_series(1, 50000) n;
`;

const pictures = (url) => [null, url, [url]];

export const plans = [
  { name: 'media.is_banned', values: ['00'.repeat(32)] },
  { name: 'media.banned_like', values: [50, 0, '%4711.png%'] },
  {
    name: 'file_owners.find',
    note: 'A file of a remote post.',
    values: pictures('https://files.test/4711.png'),
  },
];

const still = `ab/${'0'.repeat(32)}.still.webp`;

export const timed = [
  {
    name: 'file_owners.find',
    note: 'An avatar that 10,000 accounts have.',
    values: pictures('https://big.test/missing.png'),
  },
  {
    name: 'file_owners.find',
    note: 'A still that no account has.',
    values: [still, null, picturePathsOf(still)],
  },
];
