import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columnNames, columns, givenRows } from './columns.js';

@Entity('teas')
class Tea {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'timestamptz', name: 'picked_at' })
  pickedAt: Date;

  @Column({ type: 'jsonb' })
  notes: string[] | null;
}

describe('columns', () => {
  it('are named as the properties of the entity', () => {
    expect(columns(Tea, 't', ['id', 'pickedAt'])).toBe('t.id, t.picked_at as "pickedAt"');
    expect(columnNames(Tea, ['id', 'pickedAt'])).toBe('id, picked_at');
    expect(columnNames(Tea, ['pickedAt'], 't')).toBe('t.picked_at');
  });

  it('of properties that are not stored are refused', () => {
    expect(() => columns(Tea, 't', ['name' as 'id'])).toThrow('Tea has no column "name"');
  });
});

describe('given rows', () => {
  const given = givenRows(Tea, ['id', 'notes'], { servedWith: 'text' });

  it('are a table with the types of the entity', () => {
    expect(given.table).toBe('unnest($1::text[], $2::jsonb[], $3::text[]) as given (id, notes, served_with)');
  });

  it('become one array for each column, with JSON as text', () => {
    const rows = [
      { servedWith: 'milk', notes: ['sweet', 'dark'], id: 'assam' },
      { servedWith: null, notes: null, id: 'sencha' },
    ];
    expect(given.values(rows)).toEqual([
      ['assam', 'sencha'],
      ['["sweet","dark"]', null],
      ['milk', null],
    ]);
  });
});
