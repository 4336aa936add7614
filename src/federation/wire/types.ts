/** What documents may be: of several types of one, such as an own and a common one, the first of these counts. */
const KNOWN: ReadonlySet<string> = new Set(
  [
    'Person Service Application Group Organization',
    'Note Question Answer ChatMessage Page Article Event Image Document Video Audio Tombstone',
    'Create Update Delete Follow Accept Reject Like EmojiReact Announce Undo Block Add Remove Move Flag',
    'Dislike QuoteRequest QuoteAuthorization FeatureRequest',
    'Mention Hashtag Emoji Link PropertyValue Place Collection OrderedCollection CollectionPage OrderedCollectionPage',
  ].flatMap((names) => names.split(' ')),
);

const NAMESPACE = /^(?:as:|https?:\/\/www\.w3\.org\/ns\/activitystreams#)/;

/** The type that counts, without its namespace. */
export function typeAmong(types: readonly string[]): string | undefined {
  const names = types.map((type) => type.slice(0, 100).replace(NAMESPACE, ''));
  return (names.find((name) => KNOWN.has(name)) ?? names[0])?.slice(0, 64);
}
