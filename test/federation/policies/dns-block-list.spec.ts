import type { Socket } from 'node:dgram';
import type { Settings } from '../../../src/config/index.js';
import { DnsBlockList } from '../../../src/federation/policies/dns-block-list.js';
import { Asker, type Outbound } from '../../../src/platform/index.js';
import { startZone } from '../../support/federation/dns-zone.js';

let zone: Socket;
beforeAll(async () => {
  zone = await startZone({
    'listed.example.bl.example': '127.0.0.2',
    'parked.example.bl.example': '203.0.113.9',
    'refused.example.bl.example': '127.255.255.254',
  });
});
afterAll(() => {
  zone.close();
});

const listWith = (values: Record<string, unknown>) => {
  const settings = { nameserver: '127.0.0.1', port: zone.address().port, zone: 'bl.example', ...values };
  const get = (path: string) => settings[path.slice('mrf_dnsrbl.'.length) as keyof typeof settings];
  return new DnsBlockList({ get } as unknown as Settings, new Asker({} as Outbound));
};

describe('A DNS block list', () => {
  it.each<[servers: string[], isListed: boolean, why: string]>([
    [['listed.example'], true, 'it is an entry'],
    [['social.example', 'listed.example:8443'], true, 'one of its names is an entry'],
    [['other.example'], false, 'there is no such name'],
    [['parked.example'], false, 'its name server answers for everything'],
    [['refused.example'], false, 'the list refuses the question'],
    [['192.0.2.7'], false, 'an address is no name'],
  ])('lists %j: %j, since %s', async (servers, isListed) => {
    expect(await listWith({}).lists(servers)).toBe(isListed);
  });

  it.each([
    ['no zone', { zone: '' }],
    ['a name server that does not answer', { port: 1 }],
    ['an unusable name server', { nameserver: 'dead' }],
  ])('lists no server with %s', async (_what, values) => {
    expect(await listWith(values).lists(['listed.example'])).toBe(false);
  });
});
