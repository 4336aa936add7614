import { isApiPath, isOpenToApps, withoutSuffix } from './paths.js';

describe('paths', () => {
  it.each([
    '/api/v1/x',
    '/oauth/token',
    '/oauth/revoke/',
    '/oauth/mfa/challenge',
    '/oauth/userinfo',
    '/nodeinfo/2.1',
    '/users/mo',
    '/objects/1',
    '/inbox',
    '/media/ab/c.png',
    '/images/avi.png',
    '/tags/tea.rss',
  ])('open %s to apps', (path) => expect(isOpenToApps(path)).toBe(true));

  it.each([
    '/',
    '/oauth/authorize',
    '/oauth/mfa',
    '/oauth/tokens',
    '/auth/password',
    '/apis',
    '/usersx',
    '/registration/x',
  ])('do not open %s to apps', (path) => expect(isOpenToApps(path)).toBe(false));

  it('include the API paths', () => {
    expect(['/api', '/api/', '/api/v1'].every(isApiPath)).toBe(true);
    expect(['/', '/apix', '/x/api'].some(isApiPath)).toBe(false);
  });

  it.each([
    ['/api/oauth_tokens.json', '/api/oauth_tokens'],
    ['/api/svc/emoji.json?x=1', '/api/svc/emoji?x=1'],
    ['/api/v1/svc/emoji.json/', '/api/v1/svc/emoji/'],
    ['/nodeinfo/2.0.json', '/nodeinfo/2.0'],
    ['/api/svc/emoji/packs/x.json', '/api/svc/emoji/packs/x.json'],
    ['/api/v1/statuses/1.json', '/api/v1/statuses/1.json'],
    ['/api/oauth_tokens.jsonx', '/api/oauth_tokens.jsonx'],
    ['/users/alice.rss?max_id=1', '/users/alice/feed.rss?max_id=1'],
    ['/@alice.atom', '/users/alice/feed.atom'],
    ['/users/alice/feed.rss', '/users/alice/feed.rss'],
    ['/tags/tea.rss', '/tags/tea.rss'],
    ['/users/a.rss/b', '/users/a.rss/b'],
  ])('rewrite %s to %s', (target, expected) => expect(withoutSuffix(target)).toBe(expected));
});
