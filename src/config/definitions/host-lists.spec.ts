import { listsHost } from './host-lists.js';

describe('a list of hosts with', () => {
  it.each<[listed: string, host: string, isListed: boolean]>([
    ['far.example', 'far.example', true],
    ['far.example', 'FAR.example:8443', true],
    ['far.example', 'a.far.example', false],
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
  ])('%s names %s: %s', (listed, host, isListed) => {
    expect(listsHost([listed], host)).toBe(isListed);
    expect(listsHost(['other.example', [listed, 'rude']], host)).toBe(isListed);
  });
});
