import { type Static, Type } from 'typebox';
import { DateOnly, DateTime, DecimalId, FlakeId, Nullable } from '../../src/common/index.js';
import { checkShape } from './shape.js';

const StatusShape = Type.Object(
  { id: FlakeId, poll: Nullable(Type.Object({ id: DecimalId })), created_at: DateTime, day: Nullable(DateOnly) },
  { additionalProperties: false },
);
type Status = Static<typeof StatusShape>;

const status: Status = {
  id: '0A1b2C3d4E5f6G7h8I',
  poll: { id: '7' },
  created_at: '2024-05-01T10:20:30.000Z',
  day: '2024-05-01',
};

describe('checkShape', () => {
  it('finds nothing wrong with a value of the shape', () => {
    expect(checkShape(StatusShape, status)).toEqual([]);
    expect(checkShape(StatusShape, { ...status, poll: null, day: null })).toEqual([]);
  });

  it.each([
    [{ ...status, id: '7' }, '/id'],
    [{ ...status, created_at: '2024-05-01T10:20:30Z' }, '/created_at'],
    [{ ...status, poll: { id: 7 } }, '/poll'],
    [{ ...status, day: undefined }, '/day'],
    [{ ...status, more: 1 }, 'more'],
    [{ id: status.id }, 'created_at'],
    [null, '/'],
  ])('says where %j is wrong', (value, where) => {
    expect(checkShape(StatusShape, value).join('\n')).toContain(where);
  });
});
