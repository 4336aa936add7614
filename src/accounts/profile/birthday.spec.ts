import { requireBirthday } from './birthday.js';

const NOW = Date.UTC(2024, 4, 1, 12);
const check =
  (day: string | null, rules = { required: false, minAgeDays: 0 }) =>
  () =>
    requireBirthday(day, rules, NOW);

describe('birthdays', () => {
  it('accept days of the calendar up to today', () => {
    for (const day of ['1990-12-31', '2000-02-29', '2024-05-01', '0004-02-29']) expect(check(day)).not.toThrow();
  });

  it('refuse everything else', () => {
    for (const day of [
      '',
      '1990',
      '1990-13-01',
      '1990-02-30',
      '2023-02-29',
      '2024-05-02',
      '31.12.1990',
      '1990-12-31T00:00',
      '0000-01-01',
    ]) {
      expect(check(day)).toThrow();
    }
  });

  it('can be removed unless one is required', () => {
    expect(check(null)).not.toThrow();
    expect(check(null, { required: true, minAgeDays: 0 })).toThrow("can't be blank");
  });

  it('enforce a minimum age in days', () => {
    const rules = { required: true, minAgeDays: 16 };
    expect(check('2024-04-15', rules)).not.toThrow();
    expect(check('2024-04-16', rules)).toThrow('too young');
  });
});
