import { describe, expect, it } from '@jest/globals';
import { covers, coversAny, grantedScopes, KNOWN_SCOPES, parseScopes } from './scopes.js';

describe('scopes', () => {
  it('are separated by spaces, commas or plus signs, or come as a list, and count once', () => {
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

  it('of administration follow the same rule, and are never part of read and write', () => {
    expect(covers(['admin'], 'admin:read:accounts')).toBe(true);
    expect(covers(['admin:read'], 'admin:read:accounts')).toBe(true);
    expect(covers(['admin:read'], 'admin:write:accounts')).toBe(false);
    expect(covers(['read', 'write'], 'admin:read:accounts')).toBe(false);
  });

  it('know the legacy `follow`, which opens follows, blocks and mutes', () => {
    for (const wanted of ['read:follows', 'write:follows', 'write:blocks', 'read:mutes']) {
      expect(covers(['follow'], wanted)).toBe(true);
    }
    expect(covers(['follow'], 'write:statuses')).toBe(false);
    expect(covers(['follow'], 'write')).toBe(false);
  });

  it('are alternatives where a route names several', () => {
    expect(coversAny(['push'], ['read', 'push'])).toBe(true);
    expect(coversAny(['push'], ['read', 'write'])).toBe(false);
    expect(coversAny([], [])).toBe(true);
  });
});

describe('granted scopes', () => {
  it('are all that the app registered, unless it asks for less', () => {
    expect(grantedScopes([], ['read', 'write'], false)).toEqual(['read', 'write']);
    expect(grantedScopes(['read:statuses'], ['read', 'write'], false)).toEqual(['read:statuses']);
  });

  it('O7 are never more than was registered, and never unknown ones', () => {
    expect(grantedScopes(['write'], ['read'], false)).toBeUndefined();
    expect(grantedScopes(['read'], ['read:statuses'], false)).toBeUndefined();
    expect(grantedScopes(['read:everything'], ['read'], false)).toBeUndefined();
    expect(grantedScopes(['write:follows'], ['follow'], false)).toBeUndefined();
  });

  it('O7 hold administration for administrators only', () => {
    const registered = ['read', 'write', 'admin'];
    expect(grantedScopes([], registered, true)).toEqual(registered);
    expect(grantedScopes([], registered, false)).toEqual(['read', 'write']);
    expect(grantedScopes(['read', 'admin:read'], registered, false)).toEqual(['read']);
    expect(grantedScopes(['admin:read'], registered, false)).toBeUndefined();
  });

  it('name every scope once', () => {
    expect(new Set(KNOWN_SCOPES).size).toBe(KNOWN_SCOPES.length);
    expect(KNOWN_SCOPES).toContain('admin:write:media_proxy_caches');
  });
});
