import type { AccountRow } from '../../accounts/index.js';
import { definitions, type SettingPath } from '../../config/index.js';
import { type PolicyStatus, Visibility } from '../../statuses/index.js';
import { forceMentionPolicy, mentionsInContentPolicy } from './mention.policies.js';
import type { PolicySettings } from './policy.js';

const account = (id: string) =>
  ({ id, nickname: id, apId: `https://far.example/users/${id}`, url: `https://far.example/@${id}` }) as AccountRow;
const [ann, ben, mo] = [account('ann'), account('ben'), account('mo')];

const PLAIN = {
  visibility: Visibility.public,
  content: '<p>Tea</p>',
  parent: null,
  quotedAuthorId: null,
  mentions: [],
};
const answer = { parent: { authorId: 'ann', visibility: Visibility.public, spoiler: '' } };

function filtered(
  policy: typeof forceMentionPolicy,
  post: Partial<PolicyStatus>,
  { changes = {}, recipients = [] }: { changes?: Partial<Record<SettingPath, unknown>>; recipients?: string[] } = {},
) {
  const settings = { get: (path: SettingPath) => changes[path] ?? definitions[path].default } as PolicySettings;
  const whole = { ...PLAIN, ...post } as unknown as PolicyStatus;
  return policy.post?.(whole, settings, { author: mo, recipients, people: [ann, ben, mo] });
}

describe('ForceMention', () => {
  const quote = { quotedAuthorId: 'ben' };
  it.each<[what: string, post: Partial<PolicyStatus>, named: string[]]>([
    ['an answer', answer, ['ann']],
    ['a quote', quote, ['ben']],
    ['an answer that quotes', { ...answer, ...quote }, ['ann', 'ben']],
    ['an unlisted answer', { ...answer, visibility: Visibility.unlisted }, ['ann']],
    ['an answer that mentions its parent already', { ...answer, mentions: ['ben', 'ann'] }, ['ben', 'ann']],
    ['a post that is neither', {}, []],
    ['an answer to oneself', { parent: { ...answer.parent, authorId: 'mo' } }, []],
    ['an answer to an unknown account', { parent: { ...answer.parent, authorId: 'zoe' } }, []],
  ])('mentions the authors that %s refers to', (_what, post, named) => {
    expect(filtered(forceMentionPolicy, post)).toMatchObject({ mentions: named });
  });

  it.each([
    ['mention_parent', ['ben']],
    ['mention_quoted', ['ann']],
  ])('leaves out one of the authors when %s is off', (key, named) => {
    const changes = { [`mrf_force_mention.${key}`]: false };
    expect(filtered(forceMentionPolicy, { ...answer, ...quote }, { changes })).toMatchObject({ mentions: named });
  });

  it.each([
    ['private', [], []],
    ['direct', [], []],
    ['private', [ann.apId], ['ann']],
    ['direct', [ann.apId], ['ann']],
  ] as const)('adds to a %s answer to %j only mentions of its addressees', (visibility, recipients, named) => {
    const post = { ...answer, visibility: Visibility[visibility] };
    expect(filtered(forceMentionPolicy, post, { recipients: [...recipients] })).toMatchObject({ mentions: named });
  });
});

describe('ForceMentionsInContent', () => {
  const link = (id: string) =>
    `<span class="h-card"><a class="u-url mention" data-user="${id}" href="https://far.example/@${id}" rel="ugc">@<span>${id}</span></a></span>`;
  const names = (...ids: string[]) => `<span class="recipients-inline">${ids.map(link).join(' ')} </span>`;

  it.each<[what: string, post: Partial<PolicyStatus>, content: string]>([
    ['a paragraph', { mentions: ['ann', 'ben'] }, `<p>${names('ann', 'ben')}Tea</p>`],
    ['a text without paragraphs', { mentions: ['ann'], content: 'Tea' }, `${names('ann')}Tea`],
    ['a post without text', { mentions: ['ann'], content: '' }, names('ann')],
    ['an answer, with its parent first', { ...answer, mentions: ['ben', 'ann'] }, `<p>${names('ann', 'ben')}Tea</p>`],
    [
      'a text with one of them',
      { mentions: ['ann', 'ben'], content: `<p>${link('ben')}</p>` },
      `<p>${names('ann')}${link('ben')}</p>`,
    ],
    [
      'a text with the address of one',
      { mentions: ['ann'], content: '<p><a href="https://far.example/users/ann">@ann</a></p>' },
      '<p><a href="https://far.example/users/ann">@ann</a></p>',
    ],
    ['a text of no mentions', {}, '<p>Tea</p>'],
    ['a text of unknown accounts', { mentions: ['zoe'] }, '<p>Tea</p>'],
  ])('links the mentioned accounts in %s', (_what, post, content) => {
    expect(filtered(mentionsInContentPolicy, post)).toMatchObject({ content });
  });
});
