import { describe, expect, it } from '@jest/globals';
import { Visibility } from '../../statuses/index.js';
import { addressing, blindCopies, noteDocument, type NoteSource } from './note.js';

const BASE = 'https://svc.test';
const person = (name: string, silent: boolean) => ({
  ap_id: `https://far.test/users/${name}`,
  handle: `${name}@far.test`,
  silent,
});

const note = (visibility: number): NoteSource => ({
  uri: `${BASE}/objects/1`,
  url: null,
  visibility,
  author: `${BASE}/users/alice`,
  content_html: 'tea?',
  spoiler: '',
  sensitive: false,
  language: null,
  source: null,
  content_type: 'text/plain',
  created_at: '2026-01-01T00:00:00.000Z',
  edited_at: null,
  in_reply_to: null,
  reply_to_actor: null,
  context: null,
  mentions: [person('named', false), person('secret', true)],
  tags: [],
  attachments: [],
});

describe('the document of a post', () => {
  it.each(Object.entries(Visibility))('hides blind copies of %s posts', (_, visibility) => {
    const source = note(visibility);
    const { to, cc } = addressing(source, BASE);
    expect(to).toContain('https://far.test/users/named');
    const document = noteDocument(source, { baseUrl: BASE, fileUrl: () => '', emojis: [] });
    expect(JSON.stringify([to, cc, document])).not.toContain('secret');
    expect(blindCopies(source)).toEqual(['https://far.test/users/secret']);
  });
});
