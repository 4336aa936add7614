import { Logger } from '@nestjs/common';
import { definitions, type SettingPath, settingPaths } from '../definitions/definitions.js';
import { Settings } from './settings.js';
import { problemOf, snapshotOf } from './snapshot.js';

const item = (path: string, value: unknown) => {
  const [group = '', key = ''] = path.split('.');
  return { group, key, value };
};

function settingsWith(...items: { group: string; key: string; value: unknown }[]): Settings {
  const settings = new Settings();
  settings.replace(snapshotOf(items));
  return settings;
}

beforeAll(() => {
  Logger.overrideLogger(false);
});

describe('the definitions', () => {
  it('have defaults and suggestions that fit their own types', () => {
    const misfits = settingPaths.flatMap((path) => {
      const { default: fallback, suggestions } = definitions[path];
      return [fallback, ...suggestions]
        .map((value) => problemOf(path, value))
        .filter((problem) => problem !== undefined);
    });
    expect(misfits).toEqual([]);
  });

  it('have a group and a key each, and a description in sentences', () => {
    const wellFormed = settingPaths.filter(
      (path) => /^[a-z_]+\.[a-z_]+$/.test(path) && /^[A-Z].+\.$/.test(definitions[path].description),
    );
    expect(wellFormed).toEqual(settingPaths);
  });

  it('give each setting its type', () => {
    const settings = new Settings();
    const limit: number = settings.get('instance.limit');
    const apps: readonly string[] = settings.get('apps.reference_shapes');
    const polls: Readonly<Record<'max_options' | 'max_option_chars' | 'min_expiration' | 'max_expiration', number>> =
      settings.get('instance.poll_limits');
    // @ts-expect-error A number is no text.
    const wrong: string = settings.get('instance.limit');
    // @ts-expect-error A snapshot is never changed.
    const changeable: string[] = settings.get('instance.languages');
    expect([limit, wrong, apps.length > 0, polls.max_options, changeable]).toEqual([5000, 5000, true, 20, ['en']]);
  });
});

describe('a value', () => {
  const flawed: [path: string, value: unknown, problem: string][] = [
    ['instance.limit', '5000', 'must be an integer from 1 to 100000'],
    ['instance.limit', 0, 'must be an integer from 1 to 100000'],
    ['instance.limit', 1.5, 'must be an integer from 1 to 100000'],
    ['instance.limit', null, 'must be an integer from 1 to 100000'],
    ['instance.public', 'false', 'must be true or false'],
    ['instance.name', '', 'must be a text of 1 to 200 characters'],
    ['instance.name', 'a\0b', 'must not contain NUL or broken characters'],
    ['instance.short_description', '\ud800', 'must not contain NUL or broken characters'],
    ['instance.email', 'nobody', 'must be an e-mail address, or empty'],
    ['mrf_dnsrbl.nameserver', 'dead', 'must be an IP address'],
    ['mrf_nsfw_api.threshold', 1.01, 'must be a number from 0 to 1'],
    ['mrf_nsfw_api.threshold', '0.7', 'must be a number from 0 to 1'],
    ['mrf_nsfw_api.url', 'file:///etc', expect.stringMatching(/^must be a URL/) as never],
    ['mrf_nsfw_api.url', 'https://a:b@api.example/', expect.stringMatching(/^must be a URL/) as never],
    ['instance.allowed_post_formats', ['tree'], expect.stringMatching(/, each one of text/) as never],
    ['apps.reference_shapes', [''], expect.stringMatching(/each a text of 1 to 100 characters/) as never],
    ['instance.languages', ['en', 'english language'], expect.stringMatching(/^must be a list of at most 50/) as never],
    [
      'mrf_simple.reject',
      ['a.example', 'https://b.example'],
      expect.stringMatching(/: "https:..b.example" is none$/) as never,
    ],
    ['instance.languages', ['sr-RS-Latn'], expect.stringMatching(/: "sr-RS-Latn" is none$/) as never],
    ['instance.languages', ['de-12'], expect.stringMatching(/: "de-12" is none$/) as never],
    ['instance.languages', ['en', 'en'], expect.stringMatching(/different items/) as never],
    ['instance.poll_limits', { max_options: 4 }, expect.stringMatching(/^must be an object of max_options/) as never],
    [
      'instance.poll_limits',
      { max_options: 4, max_option_chars: 50, min_expiration: 600, max_expiration: 300 },
      expect.stringMatching(/, the shortest duration no longer than the longest$/) as never,
    ],
    ['retention.read_notification_days', 366, 'must be an integer from 0 to 365'],
    ['metrics.token', 'open sesame', 'must be at most 200 letters, digits and signs of ASCII without blanks, or empty'],
    ['instance.shout_limit', 10_001, 'must be an integer from 1 to 10000'],
    ['rate_limit.search', [1000], expect.stringMatching(/^must be \[milliseconds, count\]/) as never],
    [
      'rate_limit.search',
      [
        [1000, 0],
        [1000, 1],
      ],
      expect.stringMatching(/^must be \[milliseconds, count\]/) as never,
    ],
    ['instance.colour', 'green', 'is not a setting'],
    ['__proto__.polluted', true, 'is not a setting'],
    ['toString', true, 'is not a setting'],
  ];

  it.each(flawed)('is refused at %s: %j', (path, value, problem) => {
    expect(String(problemOf(path, value))).toEqual(problem);
  });

  it.each<[string, unknown]>([
    ['instance.limit', 500],
    ['instance.email', ''],
    ['instance.languages', ['de', 'pt-BR', 'sr-Latn-RS', 'ca-valencia']],
    ['instance.thumbnail', 'https://files.example/banner.png'],
    ['rate_limit.search', [500, 5]],
    [
      'rate_limit.search',
      [
        [1000, 10],
        [1000, 30],
      ],
    ],
  ])('is accepted at %s: %j', (path, value) => {
    expect(problemOf(path, value)).toBeUndefined();
  });
});

describe('Settings', () => {
  it('have their defaults until a value is stored', () => {
    expect(settingsWith().get('instance.languages')).toEqual(['en']);
    expect(settingsWith(item('instance.languages', ['fr'])).get('instance.languages')).toEqual(['fr']);
  });

  it('start with given values in the place of defaults', () => {
    const settings = new Settings({ 'instance.compat_brand': 'acme' });
    expect(settings.get('instance.compat_brand')).toBe('acme');
    settings.replace(settings.with([item('instance.compat_brand', 'other')]));
    expect(settings.get('instance.compat_brand')).toBe('other');
    settings.replace(settings.with([]));
    expect(settings.get('instance.compat_brand')).toBe('acme');
  });

  it('list which of them are stored', () => {
    const settings = settingsWith(item('instance.limit', 5000));
    expect([settings.isStored('instance.limit'), settings.isStored('instance.name')]).toEqual([true, false]);
  });

  it('ignore invalid stored values and undefined items', () => {
    const snapshot = snapshotOf([
      item('instance.limit', 'many'),
      item('instance.name', 'Here'),
      item('logger.backends', ['console']),
    ]);
    expect(snapshot.values['instance.limit']).toBe(5000);
    expect(snapshot.values['instance.name']).toBe('Here');
    expect(snapshot.misfits).toEqual([{ path: 'instance.limit', problem: 'must be an integer from 1 to 100000' }]);
  });

  it.each<[path: SettingPath, stored: unknown[], valid: unknown[], named: string]>([
    ['mrf_simple.reject', ['https://a.example', 'b.example'], ['b.example'], '"https://a.example"'],
    [
      'mrf_simple.reject',
      ['b.example', ['*.c.example:8443', 'rude'], 7],
      ['b.example', ['*.c.example:8443', 'rude']],
      '7',
    ],
    ['mrf_simple.accept', ['b.example', 'b.example'], ['b.example'], 'different items'],
    ['mrf.policies', ['DropPolicy', 'TeaPolicy'], ['DropPolicy'], '"TeaPolicy"'],
    ['mrf.policies', ['TeaPolicy'], ['SimplePolicy', 'HashtagPolicy'], '"TeaPolicy"'],
    ['mrf_keyword.reject', ['~r/(/', 'tea'], ['tea'], '"~r/(/"'],
  ])('keep the valid items of the stored list %s: %j', (path, stored, valid, named) => {
    const snapshot = snapshotOf([item(path, stored)]);
    expect(snapshot.values[path]).toEqual(valid);
    expect(snapshot.misfits).toEqual([{ path, problem: expect.stringContaining(named) as string }]);
  });

  it('announce changes by path and by group, after the swap, and only when a value differs', () => {
    const settings = settingsWith(item('instance.limit', 10));
    const seen: unknown[] = [];
    settings.onChange(['instance.limit'], () => seen.push(['path', settings.get('instance.limit')]));
    settings.onChange(['instance'], () => seen.push(['group', settings.get('instance.limit')]));
    settings.onChange(['rate_limit', 'instance.name'], () => seen.push(['others']));

    settings.replace(snapshotOf([item('instance.limit', 20)]));
    settings.replace(snapshotOf([item('instance.limit', 20)]));

    expect(seen).toEqual([
      ['path', 20],
      ['group', 20],
    ]);
  });

  it('announce several changes once, and not to removed listeners', () => {
    const settings = settingsWith();
    const seen: string[] = [];
    settings.onChange(['instance.limit', 'instance.name'], () => seen.push('both'));
    settings.onChange(['instance'], () => seen.push('gone'))();
    settings.replace(snapshotOf([item('instance.limit', 20), item('instance.name', 'Here')]));
    expect(seen).toEqual(['both']);
  });

  it('apply even when a listener fails', () => {
    const settings = settingsWith();
    const seen: number[] = [];
    settings.onChange(['instance'], () => {
      throw new Error('a listener of this test fails on purpose');
    });
    settings.onChange(['instance'], () => seen.push(settings.get('instance.limit')));
    settings.replace(snapshotOf([item('instance.limit', 20)]));
    expect(seen).toEqual([20]);
  });
});
