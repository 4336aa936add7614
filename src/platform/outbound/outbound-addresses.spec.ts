import { type LookupAddress, promises as dns } from 'node:dns';
import { AddressRules, isPublicAddress } from './outbound-addresses.js';
import { OutboundError, type OutboundErrorKind } from './outbound-error.js';

function kindOf(attempt: () => unknown): OutboundErrorKind | 'none' {
  try {
    attempt();
    return 'none';
  } catch (error) {
    if (error instanceof OutboundError) return error.kind;
    throw error;
  }
}

/** The addresses that a connection to the URL's host gets. */
function lookUp(rules: AddressRules, url: string, all = true): Promise<string | LookupAddress[]> {
  const target = rules.target(url);
  return new Promise((resolve, reject) => {
    rules.lookupFor(target)(target.hostname, { all }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });
}

const PRIVATE_V4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];
const PRIVATE_V6 = [
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
];

describe('isPublicAddress', () => {
  it.each([...PRIVATE_V4, ...PRIVATE_V6, '', 'example.com', '999.1.1.1'])('refuses %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '198.17.255.255',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2a00::1',
  ])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('AddressRules.target', () => {
  const rules = new AddressRules([]);

  it.each([
    ...PRIVATE_V4.map((address) => `https://${address}/`),
    ...PRIVATE_V6.filter((address) => !address.includes('%')).map((address) => `https://[${address}]/`),
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://127.0.0.1:8443/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::FFFF:127.0.0.1]/',
    'https:\\\\127.0.0.1\\',
    'https:127.0.0.1',
  ])('refuses %s', (url) => {
    expect(kindOf(() => rules.target(url))).toBe('refused-address');
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    'http://example.com/',
    'http://8.8.8.8/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'gopher://example.com/',
    'https://',
    'https://mo@example.com/',
    'https://mo:pw@example.com/',
    'https://:pw@example.com/',
    'https://example.com../',
    'https://[fe80::1%25eth0]/',
    'https://exa mple.com/',
    'https://example.com:99999/',
  ])('refuses to fetch %j', (url) => {
    expect(kindOf(() => rules.target(url))).toBe('bad-url');
  });

  it('reads no address or redirect of more than 32,768 characters', () => {
    const [rules, base] = [new AddressRules([]), new URL('https://x.example/')];
    const long = (length: number) => `https://x.example/${'a'.repeat(length)}`;
    expect(rules.target(long(32_750)).href).toHaveLength(32_768);
    expect(kindOf(() => rules.target(long(32_751)))).toBe('bad-url');
    expect(kindOf(() => rules.target(`/${'a'.repeat(32_768)}`, base))).toBe('redirect');
    expect(kindOf(() => rules.target(`https://${'漢'.repeat(2_000)}/`))).toBe('bad-url');
  });

  it('normalizes a URL', () => {
    expect(rules.target('HTTPS://EXAMPLE.com.:443/a/../b?c=d#e').href).toBe('https://example.com/b?c=d');
    expect(rules.target('https://bücher.example/ü').href).toBe('https://xn--bcher-kva.example/%C3%BC');
  });

  it('resolves redirects against their base and checks them too', () => {
    const base = rules.target('https://example.com/a/b');
    expect(rules.target('../c?d', base).href).toBe('https://example.com/c?d');
    expect(rules.target('//other.example/', base).href).toBe('https://other.example/');
    expect(kindOf(() => rules.target('http://example.com/', base))).toBe('redirect');
    expect(kindOf(() => rules.target('https://mo:pw@example.com/', base))).toBe('redirect');
    expect(kindOf(() => rules.target('//[::1]/', base))).toBe('refused-address');
  });

  it('allows exactly the listed addresses, also over plain http', () => {
    const some = new AddressRules(['Localhost:4001', '10.0.0.5', '::1', 'peer.internal']);
    for (const url of [
      'http://localhost:4001/',
      'https://localhost.:4001/',
      'http://10.0.0.5:81/',
      'http://[::1]:4002/',
      'http://peer.internal/',
    ]) {
      expect(kindOf(() => some.target(url))).toBe('none');
    }
    for (const url of [
      'http://localhost/',
      'http://localhost:4002/',
      'http://x.localhost:4001/',
      'http://peer.internal.example/',
    ]) {
      expect(kindOf(() => some.target(url))).toBe('bad-url');
    }
    for (const url of ['https://10.0.0.6/', 'https://[::2]/', 'https://127.0.0.1:4001/']) {
      expect(kindOf(() => some.target(url))).toBe('refused-address');
    }
    expect(kindOf(() => new AddressRules(['localhost:80']).target('http://localhost/'))).toBe('none');
  });
});

describe('AddressRules.lookupFor', () => {
  const at = (...addresses: string[]) =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

  function rules(listed: string[], ...addresses: string[]): AddressRules {
    const made = new AddressRules(listed);
    made.resolve = () => at(...addresses);
    return made;
  }

  it('returns public addresses, one or all', async () => {
    const found = rules([], '8.8.8.8', '2606:4700::1111');
    expect(await lookUp(found, 'https://example.com/')).toEqual(await at('8.8.8.8', '2606:4700::1111'));
    expect(await lookUp(found, 'https://example.com/', false)).toBe('8.8.8.8');
  });

  it.each([...PRIVATE_V4, ...PRIVATE_V6])(
    'refuses a name that leads to %s, alone or among public addresses',
    async (address) => {
      for (const found of [rules([], address), rules([], '8.8.8.8', address)]) {
        await expect(lookUp(found, 'https://example.com/')).rejects.toMatchObject({ kind: 'refused-address' });
        await expect(lookUp(found, 'https://example.com/', false)).rejects.toMatchObject({ kind: 'refused-address' });
      }
    },
  );

  it('returns a private address that is listed or belongs to a listed name', async () => {
    expect(await lookUp(rules(['10.0.0.5'], '10.0.0.5'), 'https://example.com/')).toEqual(await at('10.0.0.5'));
    expect(await lookUp(rules(['peer:81'], '10.0.0.5'), 'http://peer:81/')).toEqual(await at('10.0.0.5'));
    await expect(lookUp(rules(['10.0.0.5:81'], '10.0.0.5'), 'https://example.com/')).rejects.toMatchObject({
      kind: 'refused-address',
    });
    await expect(lookUp(rules(['peer:81'], '10.0.0.5'), 'https://peer:82/')).rejects.toMatchObject({
      kind: 'refused-address',
    });
  });

  it('asks the operating system for listed names', async () => {
    const addresses = await lookUp(new AddressRules(['localhost']), 'http://localhost/');
    expect(addresses).not.toHaveLength(0);
  });

  it('reads the list of name servers again each minute', async () => {
    const { Resolver } = dns;
    const resolvers = new Set<unknown>();
    jest.spyOn(Resolver.prototype, 'resolve6').mockResolvedValue([]);
    jest.spyOn(Resolver.prototype, 'resolve4').mockImplementation(function (this: unknown) {
      resolvers.add(this);
      return Promise.resolve([]);
    });
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const asked = new AddressRules([]);
    for (const now of [1_000, 59_000, 61_000, 62_000]) {
      clock.mockReturnValue(now);
      await expect(lookUp(asked, 'https://example.com/')).rejects.toMatchObject({ kind: 'network' });
    }
    jest.restoreAllMocks();
    expect(resolvers.size).toBe(2);
  });

  it('fails for a name without addresses', async () => {
    await expect(lookUp(rules([]), 'https://example.com/')).rejects.toMatchObject({ kind: 'network' });
  });
});
