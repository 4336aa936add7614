import { lastWeeks } from './weeks.js';

const mondays = (count: number, now: string) => lastWeeks(count, new Date(now)).map(({ week }) => week);

describe('the last weeks', () => {
  it('begin on Mondays, the current week first', () => {
    expect(mondays(3, '2024-05-09T10:00:00Z')).toEqual(['2024-05-06', '2024-04-29', '2024-04-22']);
    expect(mondays(3, '2025-01-01T00:00:00Z')).toEqual(['2024-12-30', '2024-12-23', '2024-12-16']);
  });

  it('change at midnight between Sunday and Monday, in UTC', () => {
    expect(mondays(1, '2024-05-12T23:59:59.999Z')).toEqual(['2024-05-06']);
    expect(mondays(1, '2024-05-13T00:00:00.000Z')).toEqual(['2024-05-13']);
    expect(lastWeeks(1, new Date('2024-05-13T00:00:00.000Z'))[0]?.start).toBe(Date.UTC(2024, 4, 13));
  });
});
