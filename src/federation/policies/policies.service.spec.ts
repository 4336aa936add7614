import type { AccountsService, FollowsService } from '../../accounts/index.js';
import type { TextPolicies } from '../../common/index.js';
import { definitions, type SettingPath, type Settings } from '../../config/index.js';
import type { Env } from '../../platform/index.js';
import type { StatusPolicies } from '../../statuses/index.js';
import type { DnsBlockList } from './dns-block-list.js';
import type { NsfwApi } from './nsfw-api.js';
import { PoliciesService } from './policies.service.js';

const lists: Partial<Record<SettingPath, unknown>> = {
  'mrf.policies': ['SimplePolicy'],
  'mrf_simple.reject': ['vanity.example'],
};

function policies(): PoliciesService {
  const settings = { get: (path: SettingPath) => lists[path] ?? definitions[path].default } as Settings;
  const env = { baseUrl: 'https://our.example' } as Env;
  const [posts, texts] = [{} as StatusPolicies, {} as TextPolicies];
  const [dns, nsfw] = [{} as DnsBlockList, {} as NsfwApi];
  return new PoliciesService(env, settings, {} as AccountsService, {} as FollowsService, posts, texts, dns, nsfw);
}

describe('The memory of blocked actors', () => {
  it('takes about 1 MB, however long the addresses are', () => {
    const service = policies();
    const uris = Array.from({ length: 1_000 }, (_, at) => `https://ap.example/${at}/${'x'.repeat(2_000)}`);
    for (const uri of uris) expect(service.rememberIfBlocked(uri, 'vanity.example')).toBe(true);
    const remembered = uris.filter((uri) => service.isBlocked(uri));
    expect(remembered.length).toBeGreaterThan(200);
    expect(remembered.length).toBeLessThan(300);
    expect(service.isBlocked(uris.at(-1)!)).toBe(true);
  });

  it('contains no actor that is not blocked', () => {
    const service = policies();
    expect(service.rememberIfBlocked('https://ap.example/users/mo', 'other.example')).toBe(false);
    expect(service.isBlocked('https://ap.example/users/mo')).toBe(false);
  });
});
