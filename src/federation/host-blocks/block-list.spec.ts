import { describe, expect, it } from 'vitest';
import { readBlockList, writeBlockList } from './block-list.js';

const MASTODON = `#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
loud.example,suspend,TRUE,FALSE,"Spam, ""every"" day",FALSE
Quiet.Example,silence,FALSE,TRUE,,TRUE
fine.example,noop,TRUE,FALSE,,FALSE
`;
const BLOCKS = [
  { host: 'loud.example', lists: ['reject', 'media_removal'], reason: 'Spam, "every" day' },
  { host: 'quiet.example', lists: ['federated_timeline_removal', 'report_removal'], reason: '' },
  { host: 'fine.example', lists: ['media_removal'], reason: '' },
];

describe('a block list', () => {
  it('is read as Mastodon exports it, and written so that it reads the same', () => {
    const { blocks, problems } = readBlockList(MASTODON);
    expect({ blocks, problems }).toEqual({ blocks: BLOCKS, problems: [] });
    expect(readBlockList(writeBlockList(blocks)).blocks).toEqual(BLOCKS);
  });

  it('may be hosts alone, one in a line', () => {
    expect(readBlockList('\uFEFFloud.example\r\n\r\n*.quiet.example\n').blocks).toEqual([
      { host: 'loud.example', lists: ['reject'], reason: '' },
      { host: '*.quiet.example', lists: ['reject'], reason: '' },
    ]);
  });

  it('names the lines that are wrong', () => {
    const text = 'domain,severity\nlo*d.example,suspend\nfine.example,annoy\nhttps://a.example/,silence\n';
    expect(readBlockList(text)).toEqual({
      blocks: [],
      problems: [
        'Line 2: "lo*d.example" is no host',
        'Line 3: "annoy" is no severity',
        'Line 4: "https://a.example/" is no host',
      ],
    });
  });
});
