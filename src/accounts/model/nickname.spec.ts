import { isNickname, parseHandle } from './nickname.js';

const OURS = ['a.example', 'localhost:4000'];

describe('nicknames', () => {
  it('accept 1 to 30 ASCII letters, digits, _ and -', () => {
    for (const name of ['a', 'Alice', 'under_score', 'da-sh', '7', 'x'.repeat(30)]) expect(isNickname(name)).toBe(true);
  });

  it('U1 refuse homographs, hidden characters, paths and spaces', () => {
    const refused = [
      '',
      'x'.repeat(31),
      'аlice',
      'al\u200bice',
      'alice ',
      ' alice',
      '..',
      'a/b',
      'a.b',
      'a@b',
      'alice\n',
      'ａ',
    ];
    for (const name of refused) expect(isNickname(name)).toBe(false);
  });
});

describe('handles', () => {
  it('are local without a domain and with one of ours', () => {
    const local = { username: 'bob' };
    for (const text of [
      'bob',
      '@bob',
      '!bob',
      'bob@a.example',
      '@bob@A.Example',
      '!bob@a.example',
      'bob@localhost:4000',
    ]) {
      expect(parseHandle(text, OURS)).toEqual(local);
    }
  });

  it('keep a foreign domain in lower case', () => {
    expect(parseHandle('@Zoe.X@B.Example', OURS)).toEqual({ username: 'Zoe.X', domain: 'b.example' });
    expect(parseHandle('!tea@b.example', OURS)).toEqual({ username: 'tea', domain: 'b.example' });
    expect(parseHandle('zoe@b.example:8443', OURS)).toEqual({ username: 'zoe', domain: 'b.example:8443' });
  });

  it('refuse any other text', () => {
    for (const text of [
      '',
      '@',
      '@@',
      '!',
      '!@bob',
      'a@b@c',
      'bob@',
      'bob@b example',
      'a b',
      "bob'--",
      'bob@b.example/x',
    ]) {
      expect(parseHandle(text, OURS)).toBeUndefined();
    }
  });
});
