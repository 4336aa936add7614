import { definitions, type SettingPath } from '../../config/index.js';
import type { AccountRow } from '../../accounts/index.js';
import type { PolicyStatus } from '../../statuses/index.js';
import { type Activity, parseActivity } from '../wire/activity.js';
import type { RemoteActor } from '../wire/remote-actor.js';
import { emojiPolicy } from './emoji.policy.js';
import type { PolicySettings } from './policy.js';

const settings = (changes: Partial<Record<SettingPath, unknown>>) =>
  ({ get: (path: SettingPath) => changes[path] ?? definitions[path].default }) as PolicySettings;
const emoji = (shortcode: string, host: string) => {
  const url = `https://${host}/${shortcode}.png`;
  return { shortcode, url, static_url: url };
};
const [cat, cup] = [emoji('cat', 'far.example'), emoji('cup', 'near.example')];
const parties = { author: { domain: 'far.example' } as AccountRow, recipients: [], people: [] };
const post = { visibility: 0, emojis: [cat, cup] } as unknown as PolicyStatus;

describe.each([
  ['the name', 'shortcode', ['~r/^CA/i']],
  ['the address', 'url', ['far.example']],
])('EmojiPolicy by %s of an emoji', (_by, key, patterns) => {
  const removing = settings({ [`mrf_emoji.remove_${key}`]: patterns });

  it('removes it from posts and profiles', () => {
    expect(emojiPolicy.post?.(post, removing, parties)).toEqual({ ...post, emojis: [cup] });
    const profile = { emojis: [cat, cup] } as unknown as RemoteActor;
    expect(emojiPolicy.profile?.(profile, removing, [])).toEqual({ emojis: [cup] });
  });

  it('makes posts with it unlisted', () => {
    const unlisting = settings({ [`mrf_emoji.federated_timeline_removal_${key}`]: patterns });
    expect(emojiPolicy.post?.(post, unlisting, parties)).toEqual({ ...post, visibility: 1 });
    expect(emojiPolicy.post?.({ ...post, emojis: [cup] }, unlisting, parties)).toMatchObject({ visibility: 0 });
  });

  it.each([
    ['EmojiReact', cat, true],
    ['Like', cat, true],
    ['EmojiReact', cup, false],
    ['Announce', cat, false],
  ])('refuses the %s with %j: %s', (type, { shortcode, url }, isRefused) => {
    const actor = 'https://far.example/users/mo';
    const tag = [{ type: 'Emoji', name: `:${shortcode}:`, icon: { type: 'Image', url } }];
    const raw = {
      id: `${actor}#1`,
      type,
      actor,
      object: 'https://our.example/objects/1',
      content: `:${shortcode}:`,
      tag,
    };
    const refusal = emojiPolicy.refusal?.(parseActivity(raw) as Activity, removing, parties.author, 'our.example');
    expect(refusal !== undefined).toBe(isRefused);
  });
});
