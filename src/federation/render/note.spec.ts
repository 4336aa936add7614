import { Visibility } from '../../statuses/index.js';
import { addressing, blindCopies, noteDocument, type NoteSource } from './note.js';

const BASE = 'https://svc.test';
const person = (name: string, silent: boolean) => ({
  apId: `https://far.test/users/${name}`,
  handle: `${name}@far.test`,
  silent,
});

const note = (visibility: number): NoteSource => ({
  uri: `${BASE}/objects/1`,
  url: null,
  visibility,
  author: `${BASE}/users/alice`,
  contentHtml: 'tea?',
  spoiler: '',
  sensitive: false,
  language: null,
  source: null,
  contentType: 'text/plain',
  createdAt: '2026-01-01T00:00:00.000Z',
  editedAt: null,
  inReplyTo: null,
  replyToActor: null,
  group: null,
  context: null,
  mentions: [person('named', false), person('secret', true)],
  tags: [],
  attachments: [],
  quoteUri: null,
  quoteUrl: null,
  quotedAuthor: null,
  quoteApproval: null,
  quotePolicy: null,
  poll: null,
  repliesCount: 0,
  favouritesCount: 0,
  reblogsCount: 0,
  former: [],
  replies: [],
});

const rendered = (changes: Partial<NoteSource>) =>
  noteDocument({ ...note(Visibility.public), ...changes }, { baseUrl: BASE, fileUrl: () => '', emojisOf: () => [] });

const poll = {
  multiple: false,
  hideTotals: false,
  votersCount: 3,
  expiresAt: '2026-01-02T00:00:00.000Z',
  expired: false,
  options: [
    { title: 'yes', votesCount: 2 },
    { title: 'no', votesCount: 1 },
  ],
};
const totals = (document: Record<string, unknown>, key: string) =>
  (document[key] as { replies: { totalItems: number } }[]).map(({ replies }) => replies.totalItems);

describe('the document of a post', () => {
  it.each(Object.entries(Visibility))('hides blind copies of %s posts', (_, visibility) => {
    const source = note(visibility);
    const { to, cc } = addressing(source, BASE);
    expect(to).toContain('https://far.test/users/named');
    const document = noteDocument(source, { baseUrl: BASE, fileUrl: () => '', emojisOf: () => [] });
    expect(JSON.stringify([to, cc, document])).not.toContain('secret');
    expect(blindCopies(source)).toEqual(['https://far.test/users/secret']);
  });

  it('writes a poll as a question', () => {
    const document = rendered({ poll });
    expect(document).toMatchObject({
      type: 'Question',
      oneOf: [
        { type: 'Note', name: 'yes', replies: { type: 'Collection', totalItems: 2 } },
        { type: 'Note', name: 'no', replies: { type: 'Collection', totalItems: 1 } },
      ],
      endTime: poll.expiresAt,
      votersCount: 3,
    });
    expect(document).not.toHaveProperty('anyOf');
    expect(document).not.toHaveProperty('closed');
    expect(rendered({ poll: { ...poll, expired: true } })).toMatchObject({ closed: poll.expiresAt });
    expect(rendered({ poll: { ...poll, multiple: true } })).not.toHaveProperty('oneOf');
    expect(rendered({})).toMatchObject({ type: 'Note' });
  });

  it('hides the counts of a poll until its end', () => {
    const hidden = rendered({ poll: { ...poll, hideTotals: true } });
    expect([totals(hidden, 'oneOf'), hidden['votersCount']]).toEqual([[0, 0], 0]);
    const over = rendered({ poll: { ...poll, hideTotals: true, expired: true } });
    expect([totals(over, 'oneOf'), over['votersCount']]).toEqual([[2, 1], 3]);
  });

  it('names a quoted post in each property that other servers read', () => {
    const href = 'https://far.test/notes/1';
    const document = rendered({ quoteUri: href });
    expect(document).toMatchObject({ quote: href, quoteUrl: href, quoteUri: href, _misskey_quote: href });
    expect(document['tag']).toContainEqual({
      type: 'Link',
      mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      href,
      rel: 'https://misskey-hub.net/ns#_misskey_quote',
      name: `RE: ${href}`,
    });
    expect(JSON.stringify(rendered({}))).not.toMatch(/quote/);
  });
});
