import { stripTags, textOfHtml } from '../../common/index.js';
import { textPattern } from '../../config/index.js';
import type { ActorPicture } from '../wire/remote-actor.js';
import { type Policy, type PolicySettings, toUnlisted } from './policy.js';

const FORBIDDEN = 'it contains a forbidden text';
/** Characters of a text of a profile that are read without tags: no more are stored. */
const LONGEST = { field: 2_000, text: 20_000 };

/**
 * KeywordPolicy: texts and regular expressions in posts, and in profiles. A profile of another server only loses the texts:
 * without its author a post could not be stored.
 */
export const keywordPolicy: Policy = {
  post(post, settings) {
    const texts = [post.content, textOfHtml(post.content), post.spoiler, ...post.furtherTexts];
    if (has(settings.get('mrf_keyword.reject'), texts)) return FORBIDDEN;
    const isRemoved = has(settings.get('mrf_keyword.federated_timeline_removal'), texts);
    const listed = isRemoved ? toUnlisted(post) : post;
    const { content, spoiler } = listed;
    return { ...listed, content: replaced(content, settings), spoiler: replaced(spoiler, settings) };
  },
  texts: (texts, settings) => (has(settings.get('mrf_keyword.reject'), texts) ? FORBIDDEN : undefined),
  profile(profile, settings) {
    const refused = settings.get('mrf_keyword.reject');
    const isForbidden = (text: string, longest = LONGEST.text) =>
      refused.length > 0 && has(refused, [text, stripTags(text.slice(0, longest))]);
    const passed = (text: string) => (isForbidden(text) ? '' : replaced(text, settings));
    const described = (picture: ActorPicture | null) =>
      picture && { ...picture, description: passed(picture.description) };
    return {
      ...profile,
      name: passed(profile.name),
      summaryHtml: passed(profile.summaryHtml),
      fields: profile.fields
        .slice(0, settings.get('instance.max_remote_account_fields'))
        .filter(({ name, value }) => ![name, value].some((text) => isForbidden(text, LONGEST.field)))
        .map(({ name, value }) => ({ name: replaced(name, settings), value: replaced(value, settings) })),
      avatar: described(profile.avatar),
      header: described(profile.header),
    };
  },
};

function has(patterns: readonly string[], texts: readonly string[]): boolean {
  return patterns.some((pattern) => texts.some((text) => textPattern(pattern).isIn(text)));
}

function replaced(text: string, settings: PolicySettings): string {
  return settings
    .get('mrf_keyword.replace')
    .reduce((before, [pattern, replacement]) => textPattern(pattern).replaceIn(before, replacement), text);
}
