import { readList } from './import-list.js';

const listed = (text: string) => [...readList(text)].filter((each) => each !== undefined);
const addresses = (text: string) => listed(text).map(({ address }) => address);

describe('a list of accounts', () => {
  it.each([
    ['words', 'bob carol@far.test', ['bob', 'carol@far.test']],
    ['lines of any system', 'bob\ncarol\r\ndave\rerin\n', ['bob', 'carol', 'dave', 'erin']],
    ['commas', 'bob,carol@far.test,\n dave', ['bob', 'carol@far.test', 'dave']],
    ['quotes and a byte order mark', '\uFEFF"bob@far.test"\n"carol"', ['bob@far.test', 'carol']],
    [
      'rows of an export without its header',
      'bob@far.test,true\ncarol@far.test,false',
      ['bob@far.test', 'carol@far.test'],
    ],
    ['nothing', ' \n,, ', []],
  ])('is read from %s', (_case, text, expected) => {
    expect(addresses(text)).toEqual(expected);
  });

  it('is read from an export of follows', () => {
    const text =
      '\uFEFF\nAccount address,Show boosts,Notify on new posts,Languages\r\nbob@far.test,true,false,\r\ncarol@far.test,false,true,"de, fr"\r\n';
    expect(listed(text)).toEqual([
      { address: 'bob@far.test', reblogs: true, notify: false },
      { address: 'carol@far.test', reblogs: false, notify: true, languages: ['de', 'fr'] },
    ]);
  });

  it('is read from an export of mutes', () => {
    expect(listed('Account address,Hide notifications\nbob@far.test,false\n\ncarol@far.test,\n,true')).toEqual([
      { address: 'bob@far.test', notifications: false },
      { address: 'carol@far.test' },
    ]);
  });

  it('accepts columns in any order, and ignores unknown ones', () => {
    expect(listed('"Since","Hide notifications","Account address"\n2020,true,"bob@far.test"')).toEqual([
      { address: 'bob@far.test', notifications: true },
    ]);
  });

  it('H16 parses hostile text in linear time', () => {
    const hostile = 'Account address,Show boosts\n' + '"'.repeat(500_000) + '\n' + ' '.repeat(500_000) + '"x';
    expect(listed(hostile).length).toBeLessThan(3);
    expect(listed('a,'.repeat(250_000))).toHaveLength(250_000);
  });

  it('P7 gives its reader a turn at each line and word that names no account', () => {
    expect([...readList('Account address,Show boosts\n,\n,true\n')]).toEqual([undefined, undefined]);
    expect([...readList('true false bob')]).toEqual([undefined, undefined, { address: 'bob' }]);
  });

  it.each([
    ['a word', `bob ${'x'.repeat(5_000)} carol`],
    ['a row of an export', `Account address\nbob\n"${'"'.repeat(100_000)}\n${','.repeat(100_000)}\ncarol`],
  ])('skips %s that no account can have', (_what, text) => {
    expect(addresses(text)).toEqual(['bob', 'carol']);
  });
});
