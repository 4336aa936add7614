import { Logger } from '@nestjs/common';
import { Asker, MustWait, type Outbound } from '../../../platform/index.js';
import { formatText } from '../format.js';
import { MAX_HTML_BYTES, PLAIN_WORK, TEXT_WORK, type TextWork } from './text-work.js';
import { TextWorkers } from './text-workers.js';

const BOB = { accountId: 'B', url: 'https://a.example/users/bob', username: 'bob' };
const NAMES = { mentions: new Map([['bob@', BOB]]), baseUrl: 'https://a.example' };
const resolve = { mention: () => BOB, baseUrl: NAMES.baseUrl };
const FORMATS = ['text/plain', 'text/html', 'text/markdown', 'text/bbcode'] as const;
/** No machine is so busy that it makes plain texts of these. */
const PATIENT_MS = 60_000;

const foreign = (content: string, mediaType?: string) => ({ content, mediaType, before: '', after: '', summary: '' });
const profile = (text: string) => ({ displayName: text, note: text, fields: [{ name: text, value: text }] });

/** Everything that is done with a text. */
function worksOn(text: string): { [Name in keyof TextWork]: [Name, Parameters<TextWork[Name]>] }[keyof TextWork][] {
  return [
    ...FORMATS.flatMap((type) => [
      ['findMentions', [text, type]] satisfies [string, unknown],
      ['format', [text, type, NAMES]] satisfies [string, unknown],
    ]),
    ['formatFields', [[text]]],
    ['sanitize', [text]],
    ['strip', [text]],
    ...['text/html', 'text/plain', 'text/markdown'].map((type) => ['post', [foreign(text, type)]] as const),
    ['profile', [profile(text)]],
  ] as never;
}

const SEEDS = [
  '[',
  '*a_',
  '&',
  '<a href="https://x.example/">x</a> ',
  '<p><b>',
  '<ul><li>',
  '<h1><div>x',
  '<math><annotation>x',
  '@bob ',
  '#a ',
  '[b]',
  '- a\n',
];
const SIZES = [1_000, 5_000, 99_000];
const HOSTILE = SEEDS.flatMap((seed) => SIZES.map((size) => [seed, size] as const));
const ARTICLE = Array.from(
  { length: 60 },
  (_, at) => `## Part ${at}\n\nTea is *good*, says @bob: see #Tea & [x](https://x.example/${at}).`,
).join('\n\n');

const asker = new Asker({} as Outbound);

async function withWorkers<T>(deadlineMs: number, use: (workers: TextWorkers) => Promise<T>): Promise<T> {
  const workers = new TextWorkers(asker);
  workers.deadlineMs = deadlineMs;
  try {
    return await use(workers);
  } finally {
    await workers.onApplicationShutdown();
  }
}

const run = (workers: TextWorkers, [name, args]: ReturnType<typeof worksOn>[number]): Promise<unknown> =>
  workers.run(name, ...args);

beforeAll(() => void Logger.overrideLogger(false));
afterAll(() => void Logger.overrideLogger(['error']));

describe('F22 hostile texts', () => {
  it('are processed in the worker thread with the same results', async () => {
    await withWorkers(PATIENT_MS, async (workers) => {
      for (const seed of SEEDS) {
        const text = seed.repeat(Math.ceil(3_000 / seed.length));
        for (const work of worksOn(text)) {
          const [name, args] = work;
          const expected = (TEXT_WORK[name] as (...args: unknown[]) => unknown)(...(args as unknown[]));
          expect(await run(workers, work)).toEqual(expected);
        }
      }
    });
  });

  it('become plain text after the deadline', async () => {
    const text = '*a_ <b>&'.repeat(1_000);
    await withWorkers(0, async (workers) => {
      for (const work of worksOn(text)) {
        const [name, args] = work;
        const plain = (PLAIN_WORK[name] as (...args: unknown[]) => unknown)(...(args as unknown[]));
        expect(await run(workers, work)).toEqual(plain);
      }
    });
  });

  it('are postponed where the caller must not wait, in any part of a post', async () => {
    await withWorkers(PATIENT_MS, async (workers) => {
      const long = 'x'.repeat(3_000);
      for (const part of ['content', 'before', 'after', 'summary']) {
        const work = asker.without(() => workers.run('post', { ...foreign('tea'), [part]: long }));
        await expect(work).rejects.toThrow(MustWait);
      }
      await expect(asker.without(() => workers.run('sanitize', 'tea'))).resolves.toBe('tea');
    });
  });

  it.each(HOSTILE)('are stored clean and bounded: %j, %i characters', (seed, size) => {
    const text = seed.repeat(Math.ceil(size / seed.length));
    for (const { sanitize, post, profile: profileOf, formatFields } of [TEXT_WORK, PLAIN_WORK]) {
      const made = profileOf(profile(text));
      const stored = [
        sanitize(text),
        ...['text/html', 'text/plain', 'text/markdown'].map((type) => post(foreign(text, type)).html),
        ...formatFields([text]),
        made.note,
        ...made.fields.map(({ value }) => value),
      ];
      for (const html of stored) {
        expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MAX_HTML_BYTES);
        expect(html.replace(/<\/?[a-z][^<>]*>|[^<>]+/g, '')).toBe('');
      }
    }
  });

  it.each([
    ['@bob ', 1_000],
    ['&', 20_000],
    ['&', 50_000],
  ])('grow in local posts to at most twice their source or 64 kB: %j, %i times', (seed, times) => {
    const source = seed.repeat(times);
    const most = Math.max(MAX_HTML_BYTES, 2 * source.length);
    for (const { format } of [TEXT_WORK, PLAIN_WORK]) {
      expect(Buffer.byteLength(format(source, 'text/plain', NAMES).html)).toBeLessThanOrEqual(most);
    }
  });

  it('keep their mentions when they lose their links', () => {
    expect(TEXT_WORK.format('@bob '.repeat(1_000), 'text/plain', NAMES).mentions).toEqual(['B']);
  });
});

describe('F22 texts of users', () => {
  it.each(FORMATS)('keep their formatting, however long: %s', async (type) => {
    await withWorkers(PATIENT_MS, async (workers) => {
      const handles = await workers.findMentions(ARTICLE, type);
      expect(handles).toEqual([{ username: 'bob', domain: undefined }]);
      expect(await workers.format(ARTICLE, type, { handles, resolve })).toEqual(formatText(ARTICLE, type, resolve));
    });
  });

  it('need no worker thread while they are short', async () => {
    await withWorkers(0, async (workers) => {
      const typed = '**Tea** for @bob, #tea [x](https://x.example)';
      const made = await workers.format(typed, 'text/markdown', { handles: [BOB as never], resolve });
      expect(made.html).toContain('<strong>Tea</strong>');
    });
  });

  it('stay complete as plain text', () => {
    const made = PLAIN_WORK.format(ARTICLE, 'text/markdown', NAMES);
    expect(made.text).toBe(ARTICLE);
    expect(PLAIN_WORK.sanitize('<p>a &lt; b</p><p>c<br>d<script>e</p>')).toBe('a &lt; b<br>c<br>de');
  });

  it('are formatted after earlier work has failed', async () => {
    await withWorkers(PATIENT_MS, async (workers) => {
      const long = 'x'.repeat(3_000);
      const failing = workers.run('profile', { ...profile(long), fields: undefined } as never);
      const next = workers.run('sanitize', `<b>${long}</b>`);
      await expect(failing).rejects.toThrow(TypeError);
      await expect(next).resolves.toBe(`<b>${long}</b>`);
    });
  });
});

describe('foreign texts', () => {
  it('are read in the format that their server names', () => {
    expect(TEXT_WORK.post(foreign('a < b', 'text/plain')).html).toBe('a &lt; b');
    expect(TEXT_WORK.post(foreign('*a*', 'text/markdown')).html).toBe('<p><em>a</em></p>');
    expect(TEXT_WORK.post(foreign('*a* '.repeat(3_000), 'text/markdown')).html).not.toContain('<em>');
    expect(TEXT_WORK.post(foreign('<p onclick="x">*a*</p>')).html).toBe('<p>*a*</p>');
  });

  it('keep no markup in names and warnings (threat F14)', () => {
    const spoilerOf = (summary: string) => TEXT_WORK.post({ ...foreign(''), summary }).spoiler;
    expect(spoilerOf('a <b>bold</b> &amp; warning')).toBe('a bold & warning');
    expect(spoilerOf('\u200B')).toBe('');
    const made = TEXT_WORK.profile({ ...profile('x'), displayName: 'Zoe <script>x</script>&amp; Co' });
    expect(made.displayName).toBe('Zoe & Co');
  });

  it.each([
    '<rant>',
    '</rant> over',
    'if a<b then c',
    'if a<b and c>d then e',
    '<b',
    '<!-- aside -->',
    '<?',
    '<kim@x.example>',
  ])('keep words in names and warnings that are only written like a tag: %j', (words) => {
    for (const { post, profile: profileOf } of [TEXT_WORK, PLAIN_WORK]) {
      expect(post({ ...foreign(''), summary: words }).spoiler).toBe(words);
      const { displayName, fields } = profileOf(profile(words));
      expect([displayName, fields[0]?.name]).toEqual([words, words]);
    }
  });

  it.each([
    ['a <b>bold</b> &amp; <em class="x">warning</em>', 'a bold & warning'],
    ['<P>a</P>b<br/>c', 'a\nb\nc'],
    ['<math><mi>x</mi></math>', 'x'],
  ])('lose the elements of HTML in names and warnings: %j', (words, text) => {
    for (const { post, profile: profileOf } of [TEXT_WORK, PLAIN_WORK]) {
      expect(post({ ...foreign(''), summary: words }).spoiler).toBe(text);
      expect(profileOf(profile(words)).displayName).toBe(text);
    }
  });

  it('lose profile fields without a name', () => {
    const fields = [
      { name: '<b></b>', value: 'x' },
      { name: 'y', value: 'z' },
    ];
    expect(TEXT_WORK.profile({ ...profile('x'), fields }).fields).toEqual([{ name: 'y', value: 'z' }]);
  });
});
