import { Invalid } from '../errors/errors.js';
import { Repeated } from './plain-data.js';
import { parseFields, parseQuery } from './query.js';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('parseQuery', () => {
  it.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=b+c%20d%2B', { a: 'b c d+' }],
    ['a=%F0%9F%90%88', { a: '🐈' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['a[7]=x', { a: ['x'] }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a[0][n]=1&a[0][v]=2&a[1][n]=3', { a: [{ n: '1', v: '2' }, { n: '3' }] }],
    [
      'a[][n]=1&a[][v]=2&a[][n]=3&a[][v]=4',
      {
        a: [
          { n: '1', v: '2' },
          { n: '3', v: '4' },
        ],
      },
    ],
    ['a[][n]=1&b[c][][n]=2&a[][n]=3&b[c][][n]=4', { a: [{ n: '1' }, { n: '3' }], b: { c: [{ n: '2' }, { n: '4' }] } }],
    ['a[][n][]=1&a[][n][]=2&a[][v]=3', { a: [{ n: ['1', '2'], v: '3' }] }],
    ['a%5B%5D%5Bn%5D=1&a%5b%5d%5bn%5d=%26%3d', { a: [{ n: '1' }, { n: '&=' }] }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['__proto__[x]=1&constructor=2&a[prototype]=3', { a: {} }],
  ])('reads %s', (text, expected) => expect(plain(parseQuery(text))).toEqual(expected));

  it.each([
    'a=1&b=2',
    'a=1&&b=&c&=d',
    'a=1=2&b==',
    'a=x+y%2B%26%3D&%61b=%C3%A9',
    'a.b=1&a:b@c=2&1=x&0=y',
    'constructor=1&toString=2&__proto__=3&a=4',
    '=1',
    '&',
    'a=1&%61=2',
    'a%5D=1&b=%5Bc%5D',
  ])('reads %s as the same pairs with and without a bracket elsewhere', (text) => {
    const { z, ...rest } = parseQuery(`${text}&z[]=0`);
    expect([z, rest]).toEqual([['0'], { ...parseQuery(text) }]);
  });

  it('makes objects without prototype, and marks lists as repeated', () => {
    const { a } = parseQuery('a[b]=1&c[]=2') as { a: object };
    expect(Object.getPrototypeOf(a)).toBeNull();
    expect(parseQuery('c[]=2')['c']).toBeInstanceOf(Repeated);
  });

  it('is empty for an empty query', () => {
    expect(plain([parseQuery(undefined), parseQuery(null)])).toEqual([{}, {}]);
  });

  it.each(['a=%', 'a=%zz', '%c0%af=1', 'a=%ed%a0%80', `a${'[b]'.repeat(32)}=1`, 'a[1000]=1', 'a&'.repeat(1001)])(
    'refuses malformed query number %#',
    (text) => expect(() => parseQuery(text)).toThrow(Invalid),
  );
});

describe('parseFields', () => {
  it('structures decoded names, and leaves their values unchanged', () => {
    const fields = [
      ['a[]', '1%20'],
      ['a[]', '2'],
      ['b[c]', 'x&y=z'],
      ['d', '1'],
      ['d', '2'],
      ['d', '3'],
    ] as const;
    expect(plain(parseFields(fields))).toEqual({ a: ['1%20', '2'], b: { c: 'x&y=z' }, d: ['1', '2', '3'] });
  });

  it('begins a new entry of a list of objects when a name repeats', () => {
    const fields = [
      ['a[][n]', '1'],
      ['a[][v]', '2'],
      ['a[][n]', '3'],
    ] as const;
    expect(plain(parseFields(fields))).toEqual({ a: [{ n: '1', v: '2' }, { n: '3' }] });
  });
});
