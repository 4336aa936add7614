import { isDatabaseAway } from './database-errors.js';

const coded = (code: string, fields: object = {}) => Object.assign(new Error('x'), { code, ...fields });

describe('isDatabaseAway', () => {
  it.each([
    ...['57P01', '57P03', '53300', '53100', '08006', '57014', '40001', '40P01', '55P03', '25006'].map((code) =>
      coded(code),
    ),
    coded('ECONNREFUSED', { syscall: 'connect' }),
    coded('ENOENT', { syscall: 'connect' }),
    coded('ECONNRESET', { syscall: 'read' }),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
    new Error('query failed', { cause: coded('57P01') }),
  ])('is true for %s', (error) => expect(isDatabaseAway(error)).toBe(true));

  it.each([
    coded('23505'),
    coded('22P02'),
    coded('ENOENT', { syscall: 'open' }),
    new Error('x'),
    'text',
    null,
    undefined,
  ])('is false for %s', (error) => expect(isDatabaseAway(error)).toBe(false));
});
