import { LOCALES } from '../../common/index.js';
import { captchaQuestion } from './captcha-question.js';

/** Picks the given numbers, then zeros. */
const picks =
  (...numbers: number[]) =>
  (limit: number) =>
    (numbers.shift() ?? 0) % limit;

describe.each([...LOCALES])('a question in words (%s)', (locale) => {
  it('is a sum or a difference of two numbers, the larger one first', () => {
    expect(captchaQuestion(locale, picks(0, 2, 6, 0)).solution).toBe('10');
    const { question, solution } = captchaQuestion(locale, picks(0, 2, 6, 1));
    expect(solution).toBe('4');
    expect(question).not.toMatch(/\d/);
  });

  it.each([0, 1, 2, 3, 4])('is the word at place %d of a list', (at) => {
    const { question, solution } = captchaQuestion(locale, picks(1, 0, 0, 0, 0, 0, at));
    const [, list = ''] = /: ?\u00a0?([^?]+?)\u00a0?\?$/.exec(question.replace('\u00a0:', ':')) ?? [];
    expect(list.split(', ')).toHaveLength(5);
    expect(list.split(', ')[at]?.toUpperCase()).toBe(solution);
  });
});
