// Banned files of other servers: 50,000.

export const title = 'Media';

export const rows = '50,000 banned files.';

export const seed = `
  insert into banned_media (digest, url)
  select sha256(convert_to(url, 'UTF8')), url
  from (select 'https://' || md5(n::text) || '.example/' || n || '.png' as url from generate_series(1, 50000) n) files;
`;

export const plans = [
  { name: 'media.is_banned', values: ['00'.repeat(32)] },
  { name: 'media.banned_like', values: [50, 0, '%4711.png%'] },
];
