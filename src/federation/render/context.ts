const asId = (term: string) => ({ '@id': term, '@type': '@id' });

/**
 * The JSON-LD context of the terms that servers of this field use beside ActivityStreams (FEP-2e40 and its relatives).
 * `schema` keeps its historical base, since others compare it as text.
 */
export const LITEPUB_CONTEXT = {
  '@context': [
    'https://www.w3.org/ns/activitystreams',
    'https://w3id.org/security/v1',
    {
      as: 'https://www.w3.org/ns/activitystreams#',
      toot: 'http://joinmastodon.org/ns#',
      litepub: 'http://litepub.social/ns#',
      ostatus: 'http://ostatus.org#',
      schema: 'http://schema.org#',
      vcard: 'http://www.w3.org/2006/vcard/ns#',
      misskey: 'https://misskey-hub.net/ns#',
      Emoji: 'toot:Emoji',
      Hashtag: 'as:Hashtag',
      PropertyValue: 'schema:PropertyValue',
      value: 'schema:value',
      conversation: asId('ostatus:conversation'),
      atomUri: 'ostatus:atomUri',
      discoverable: 'toot:discoverable',
      indexable: 'toot:indexable',
      attributionDomains: asId('toot:attributionDomains'),
      featured: asId('toot:featured'),
      manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
      sensitive: 'as:sensitive',
      alsoKnownAs: asId('as:alsoKnownAs'),
      movedTo: asId('as:movedTo'),
      webfinger: 'https://purl.archive.org/socialweb/webfinger#webfinger',
      gts: 'https://gotosocial.org/ns#',
      interactionPolicy: asId('gts:interactionPolicy'),
      automaticApproval: asId('gts:automaticApproval'),
      canFeature: asId('https://w3id.org/fep/7aa9#canFeature'),
      capabilities: 'litepub:capabilities',
      acceptsChatMessages: 'litepub:acceptsChatMessages',
      invisible: 'litepub:invisible',
      directMessage: 'litepub:directMessage',
      listMessage: asId('litepub:listMessage'),
      oauthRegistrationEndpoint: asId('litepub:oauthRegistrationEndpoint'),
      EmojiReact: 'litepub:EmojiReact',
      ChatMessage: 'litepub:ChatMessage',
      formerRepresentations: 'litepub:formerRepresentations',
      quoteUrl: 'as:quoteUrl',
      _misskey_quote: 'misskey:_misskey_quote',
      votersCount: 'toot:votersCount',
      blurhash: 'toot:blurhash',
    },
  ],
};
