import { brandKey, neutralKey } from './brand.js';

describe('brand', () => {
  it('puts the brand into identifiers', () => {
    expect(brandKey('acme', 'svc')).toBe('acme');
    expect(brandKey('acme', 'svc_settings_store')).toBe('acme_settings_store');
    expect(brandKey('acme', 'svc:chat_update')).toBe('acme:chat_update');
    expect(brandKey('acme', '_svc_key')).toBe('_acme_key');
    expect(brandKey('svc', 'svc_settings_store')).toBe('svc_settings_store');
  });

  it('reads parameters under both brands', () => {
    expect(neutralKey('acme', 'acme_settings_store')).toBe('svc_settings_store');
    expect(neutralKey('acme', 'svc_settings_store')).toBe('svc_settings_store');
    expect(neutralKey('acme', 'acmes')).toBe('acmes');
    expect(neutralKey('svc', 'acme_settings_store')).toBe('acme_settings_store');
  });
});
