import { covers, coversAny, grantedScopes, KNOWN_SCOPES, parseScopes } from './scopes.js';

describe('scopes', () => {
  it('are split at spaces, commas or plus signs, or read from a list, without duplicates', () => {
    const expected = ['read', 'write:statuses', 'push'];
    for (const given of [
      'read write:statuses push',
      'read,write:statuses,push',
      'read+write:statuses+push read',
      expected,
    ]) {
      expect(parseScopes(given)).toEqual(expected);
    }
    expect(parseScopes(' ')).toEqual([]);
  });

  it('cover their children and nothing else', () => {
    expect(covers(['write'], 'write:statuses')).toBe(true);
    expect(covers(['write:statuses'], 'write:statuses')).toBe(true);
    expect(covers(['write:statuses'], 'write')).toBe(false);
    expect(covers(['write'], 'read:statuses')).toBe(false);
    expect(covers(['writ'], 'write:statuses')).toBe(false);
    expect(covers([], 'read')).toBe(false);
  });

  it('of administration follow the same rule, and never belong to read and write', () => {
    expect(covers(['admin'], 'admin:read:accounts')).toBe(true);
    expect(covers(['admin:read'], 'admin:read:accounts')).toBe(true);
    expect(covers(['admin:read'], 'admin:write:accounts')).toBe(false);
    expect(covers(['read', 'write'], 'admin:read:accounts')).toBe(false);
  });

  it('include the legacy `follow`, which opens follows, blocks and mutes', () => {
    for (const wanted of ['read:follows', 'write:follows', 'write:blocks', 'read:mutes']) {
      expect(covers(['follow'], wanted)).toBe(true);
    }
    expect(covers(['follow'], 'write:statuses')).toBe(false);
    expect(covers(['follow'], 'write')).toBe(false);
  });

  it('are alternatives when a route names several', () => {
    expect(coversAny(['push'], ['read', 'push'])).toBe(true);
    expect(coversAny(['push'], ['read', 'write'])).toBe(false);
    expect(coversAny([], [])).toBe(true);
  });
});

describe('granted scopes', () => {
  it('are all registered ones unless the app requests fewer', () => {
    expect(grantedScopes([], ['read', 'write'], false)).toEqual(['read', 'write']);
    expect(grantedScopes(['read:statuses'], ['read', 'write'], false)).toEqual(['read:statuses']);
  });

  it('O7 are never unregistered or unknown ones', () => {
    expect(grantedScopes(['write'], ['read'], false)).toBeUndefined();
    expect(grantedScopes(['read'], ['read:statuses'], false)).toBeUndefined();
    expect(grantedScopes(['read:everything'], ['read'], false)).toBeUndefined();
    expect(grantedScopes(['read:everything', 'read:lists'], ['read'], false)).toEqual(['read:lists']);
    expect(grantedScopes(['write:follows'], ['follow'], false)).toBeUndefined();
  });

  it('O7 include administration for administrators only', () => {
    const registered = ['read', 'write', 'admin'];
    expect(grantedScopes([], registered, true)).toEqual(registered);
    expect(grantedScopes([], registered, false)).toEqual(['read', 'write']);
    expect(grantedScopes(['read', 'admin:read'], registered, false)).toEqual(['read']);
    expect(grantedScopes(['admin:read'], registered, false)).toBeUndefined();
  });

  it('list every scope once', () => {
    expect(new Set(KNOWN_SCOPES).size).toBe(KNOWN_SCOPES.length);
    expect(KNOWN_SCOPES).toContain('admin:write:media_proxy_caches');
  });
});
