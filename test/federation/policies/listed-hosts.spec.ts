import { listsHost } from '../../../src/config/index.js';
import { isListedHost } from '../../../src/federation/outbox/outbox.repository.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: [] });

describe('a list of hosts with', () => {
  it.each<[listed: string, host: string, isListed: boolean]>([
    ['far.example', 'far.example', true],
    ['far.example', 'FAR.example:8443', true],
    ['far.example', 'a.far.example', false],
    ['far_example', 'far.example', false],
    ['far.example:8443', 'far.example:8443', true],
    ['far.example:8443', 'far.example', false],
    ['far.example:8443', 'far.example:9', false],
    ['*.far.example', 'far.example', true],
    ['*.far.example', 'a.b.far.example:8443', true],
    ['*.far.example', 'notfar.example', false],
    ['*.far.example:8443', 'far.example:8443', true],
    ['*.FAR.example:8443', 'a.b.far.example:8443', true],
    ['*.far.example:8443', 'a.far.example', false],
    ['*.far.example:8443', 'a.far.example:9', false],
  ])('%s names %s: %s, in code and in SQL', async (listed, host, isListed) => {
    expect(listsHost([listed], host)).toBe(isListed);
    expect(listsHost(['other.example', [listed, 'rude']], host)).toBe(isListed);
    const entries = ['other.example', listed.toLowerCase()];
    const rows = await app.sql(`select ${isListedHost('$1::text', '$2::text[]')} as "isListed"`, [host, entries]);
    expect(rows).toEqual([{ isListed }]);
  });
});
