import { cte, fragment, someRow, withCtes } from './sql.js';

describe('an SQL fragment', () => {
  const numbers = cte('numbers', 'select 1 as n');

  it('includes each CTE once, after the CTEs that it reads', () => {
    const squares = cte('squares', fragment`select n * n from ${numbers}`, 'plain');
    const query = fragment`select ${someRow(squares)} or ${someRow(fragment`${numbers} where n = ${2}`)}`;
    expect(withCtes(query).replace(/\s+/g, ' ')).toBe(
      'with numbers as materialized (select 1 as n), squares as (select n * n from numbers) ' +
        'select coalesce((select true from squares limit 1), false) or ' +
        'coalesce((select true from numbers where n = 2 limit 1), false)',
    );
  });

  it('marks a statement with a recursive CTE', () => {
    const path = cte('path(id)', 'select 1 union all select id + 1 from path where id < 3', 'recursive');
    expect(withCtes(fragment`select id from ${path}`)).toMatch(
      /^with recursive path\(id\) as \(.*\)\s+select id from path$/s,
    );
  });

  it('refuses two different CTEs with the same name', () => {
    const others = cte('numbers', 'select 2 as n');
    expect(() => fragment`select from ${numbers}, ${others}`).toThrow('Two CTEs have the name "numbers"');
  });
});
