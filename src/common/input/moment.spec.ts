import { execFileSync } from 'node:child_process';
import { momentOf } from './moment.js';

describe('a moment', () => {
  it.each([
    ['2030-07-01T10:20:30.400Z', '2030-07-01T10:20:30.400Z'],
    ['2030-07-01T10:20:30+02:00', '2030-07-01T08:20:30.000Z'],
    ['2030-07-01T10:20-0330', '2030-07-01T13:50:00.000Z'],
    ['2030-07-01 10:20:30 +0200', '2030-07-01T08:20:30.000Z'],
    ['2030-07-01', '2030-07-01T00:00:00.000Z'],
    [' 2030-07-01T10:20 ', '2030-07-01T10:20:00.000Z'],
    ['2028-02-29T10:20Z', '2028-02-29T10:20:00.000Z'],
    ['2030-12-31T24:00Z', '2031-01-01T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ])('is read from %j', (text, moment) => {
    expect(momentOf(text)?.toISOString()).toBe(moment);
  });

  it.each([
    '',
    'soon',
    '2030-13-01',
    '2030-07-01T25:00',
    '0000-06-01',
    '10000-01-01',
    '+010000-01-01T00:00:00Z',
    '1700000000',
  ])('is not read from %j', (text) => {
    expect(momentOf(text)).toBeUndefined();
  });

  it.each(['2030-02-29', '2030-02-30T10:20Z', '2030-04-31T10:20:30+02:00', '2030-02-31 10:20:30 +0200'])(
    'is not read from %j, a day that does not exist',
    (text) => {
      expect(momentOf(text)).toBeUndefined();
    },
  );

  it('is in UTC without a zone, also in an hour that local clocks skip', () => {
    const texts = ['2030-03-10T02:30:00', '2030-07-01 10:20', '2030-07-01T10:20:30.5', '2030-07-01'];
    const module = JSON.stringify(new URL('../../../dist/common.input.moment.js', import.meta.url));
    const program = `import { momentOf } from ${module};
      console.log(JSON.stringify(${JSON.stringify(texts)}.map(momentOf)));`;
    const env = { TZ: 'America/New_York' };
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual([
      '2030-03-10T02:30:00.000Z',
      '2030-07-01T10:20:00.000Z',
      '2030-07-01T10:20:30.500Z',
      '2030-07-01T00:00:00.000Z',
    ]);
  });
});
