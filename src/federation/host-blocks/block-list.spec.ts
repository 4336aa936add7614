import { type HostBlock, readBlockList, writeBlockList } from './block-list.js';

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
  it('is read from an export of Mastodon, and reads the same after it is written', () => {
    const { blocks, problems } = readBlockList(MASTODON);
    expect({ blocks, problems }).toEqual({ blocks: BLOCKS, problems: [] });
    expect(readBlockList(writeBlockList(blocks)).blocks).toEqual(BLOCKS);
  });

  it('may contain only hosts, one per line', () => {
    expect(readBlockList('\uFEFFloud.example\r\n\r\n*.quiet.example\n').blocks).toEqual([
      { host: 'loud.example', lists: ['reject'], reason: '' },
      { host: '*.quiet.example', lists: ['reject'], reason: '' },
    ]);
  });

  it('names invalid lines', () => {
    const text =
      'domain,severity\nlo*d.example,suspend\nfine.example,annoy\nhttps://a.example/,silence\nb.example,constructor\n';
    const { blocks, problems } = readBlockList(text);
    expect(blocks).toEqual([]);
    expect(problems.map(String)).toEqual([
      'Line 2: "lo*d.example" is no host',
      'Line 3: "annoy" is no severity',
      'Line 4: "https://a.example/" is no host',
      'Line 5: "constructor" is no severity',
    ]);
  });

  it('counts lines like an editor, with blank lines and reasons of two lines', () => {
    const text = '\ndomain,severity,public_comment\n\na.example,suspend,"one\ntwo"\nb.example,\n';
    expect(readBlockList(text).problems.map(String)).toEqual(['Line 6: "" is no severity']);
  });

  it('H17 is read in a time in proportion to its length, whatever columns it has', () => {
    const text = `domain${',x'.repeat(200_000)}\n${',,a.example\n'.repeat(50_000)}`;
    expect(readBlockList(text).problems).toHaveLength(100);
    expect(readBlockList(`x${',x'.repeat(200_000)},domain\n${','.repeat(200_001)}a.example`).blocks).toHaveLength(1);
  });

  it('merges all lines of a host into one entry', () => {
    const text = 'domain,severity,public_comment\na.example,silence,\nA.example,suspend,spam\na.example,suspend,late\n';
    expect(readBlockList(text).blocks).toEqual([
      { host: 'a.example', lists: ['federated_timeline_removal', 'reject'], reason: 'spam' },
    ]);
  });

  it.each(['a.example:8443', '*.a.example:8443'])('reads and writes the port of %s', (host) => {
    const blocks: HostBlock[] = [{ host, lists: ['reject'], reason: '' }];
    expect(readBlockList(writeBlockList(blocks))).toEqual({ blocks, problems: [] });
  });
});
