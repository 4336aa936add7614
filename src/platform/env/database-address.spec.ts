import { parseDatabaseUrl } from './database-address.js';

describe('parseDatabaseUrl', () => {
  it('reads all parts of a URL', () => {
    expect(parseDatabaseUrl('postgresql://al%40ice:s%2Fcret@db.example:6432/social')).toEqual({
      host: 'db.example',
      port: 6432,
      user: 'al@ice',
      password: 's/cret',
      database: 'social',
    });
  });

  it('fills in the usual port and host', () => {
    expect(parseDatabaseUrl('postgres://u@/social')).toMatchObject({ host: 'localhost', port: 5432, password: '' });
  });

  it('reads the folder of a socket after the question mark', () => {
    expect(parseDatabaseUrl('postgres://u:p@/social?host=/run/postgresql')).toMatchObject({ host: '/run/postgresql' });
  });

  it.each([
    ['disable', false],
    ['require', { rejectUnauthorized: false }],
    ['verify-full', {}],
  ])("gives sslmode=%s PostgreSQL's meaning", (mode, ssl) => {
    expect(parseDatabaseUrl(`postgres://u:p@db/social?sslmode=${mode}`).ssl).toEqual(ssl);
  });

  it('uses no encryption unless the URL asks for it', () => {
    expect(parseDatabaseUrl('postgres://u:p@db/social')).not.toHaveProperty('ssl');
  });

  it.each(['postgres://u@db:0/social', 'postgres://u@db/social?port=six', 'postgres://u@db/social?port=70000'])(
    'refuses the port of %s instead of the usual one',
    (url) => expect(() => parseDatabaseUrl(url)).toThrow('the URL has no usable port'),
  );

  it.each(['hush/@', 'hush#', 'hush?', 'a@hush/', '1/hush', 'hush@[db/'])(
    'never repeats the password of %s',
    (login) => {
      const read = () => parseDatabaseUrl(`postgres://u:${login}@db/social`);
      expect(read).toThrow(/^expected a percent-encoded user and password, with %40 for @(?!.*hush)/s);
    },
  );
});
