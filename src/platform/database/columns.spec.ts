import { JobRow } from '../jobs/job.entity.js';
import { columnNames, columns, givenRows } from './columns.js';

describe('columns', () => {
  it('are named as the properties of the entity', () => {
    expect(columns(JobRow, 'j', ['id', 'runAt'])).toBe('j.id, j.run_at as "runAt"');
    expect(columnNames(JobRow, ['id', 'runAt'])).toBe('id, run_at');
    expect(columnNames(JobRow, ['runAt'], 'j')).toBe('j.run_at');
  });

  it('of properties that are not stored are refused', () => {
    expect(() => columns(JobRow, 'j', ['title' as 'id'])).toThrow('JobRow has no column "title"');
  });
});

describe('given rows', () => {
  const given = givenRows(JobRow, ['name', 'payload'], { isClaimed: 'bool' });

  it('are a table with the types of the entity', () => {
    expect(given.table).toBe('unnest($1::text[], $2::jsonb[], $3::bool[]) as given (name, payload, is_claimed)');
  });

  it('become one array for each column, with JSON as text', () => {
    const rows = [
      { isClaimed: true, payload: ['sweet', 'dark'], name: 'brew' },
      { isClaimed: false, payload: null, name: 'pour' },
    ];
    expect(given.values(rows)).toEqual([
      ['brew', 'pour'],
      ['["sweet","dark"]', null],
      [true, false],
    ]);
  });
});
