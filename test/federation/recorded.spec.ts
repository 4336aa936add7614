import { TEXT_WORK } from '../../src/common/text/workers/text-work.js';
import { announcedStatus, misskeyEmoji, parseActivity } from '../../src/federation/wire/activity.js';
import { parseActor } from '../../src/federation/wire/remote-actor.js';
import { parseObject } from '../../src/federation/wire/object.js';
import { parseEmojiTags } from '../../src/federation/wire/tags.js';
import { activities } from '../data/recorded-activities.js';
import { actors } from '../data/recorded-actors.js';
import { posts } from '../data/recorded-statuses.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const emoji = (shortcode: string, url: string) => ({ shortcode, url, static_url: url });

describe('parseActor', () => {
  const actor = (name: string) => parseActor(actors[name]);

  it.each(Object.keys(actors))('reads a key and inboxes on the same server for %s', (name) => {
    const { uri, inboxUrl, sharedInboxUrl, followersUrl, keys } = actor(name)!;
    const { origin } = new URL(uri);
    for (const url of [inboxUrl, sharedInboxUrl, followersUrl]) expect(url).toContain(`${origin}/`);
    expect(keys).toEqual([{ id: expect.stringContaining(uri), pem: expect.stringContaining('PUBLIC KEY') }]);
  });

  it('reads an actor of Mastodon', () => {
    expect(actor('mastodon')).toMatchObject({
      type: 'Person',
      username: 'ann',
      name: 'Ann :tea:',
      summaryHtml: '<p>Hello</p>',
      url: 'https://mastodon.test/@ann',
      avatar: { url: 'https://mastodon.test/files/avatar.png', description: '' },
      header: { url: 'https://mastodon.test/files/header.png', description: '' },
      fields: [{ name: 'Site', value: '<a href="https://ann.test" rel="me">ann.test</a>' }],
      emojis: [emoji('tea', 'https://mastodon.test/emoji/tea.png')],
      locked: true,
      discoverable: true,
      acceptsChatMessages: null,
      alsoKnownAs: ['https://old.test/users/ann'],
      movedTo: null,
      publishedAt: new Date('2022-11-04T00:00:00Z'),
    });
  });

  it('reads an actor of Misskey without name, bio and pictures', () => {
    const nothing = { name: '', summaryHtml: '', avatar: null, header: null, fields: [] };
    expect(actor('misskey')).toMatchObject({ ...nothing, username: 'mika', birthday: '1990-01-02' });
  });

  it('reads that an actor of Pleroma accepts chat messages', () => {
    expect(actor('pleroma')).toMatchObject({ acceptsChatMessages: true, discoverable: false });
  });

  it('reads a community of Lemmy as a group', () => {
    expect(actor('lemmy')).toMatchObject({ type: 'Group', username: 'tea', followingUrl: null, url: null });
  });

  it('reads the page and the picture of a PeerTube actor from lists', () => {
    expect(actor('peertube')).toMatchObject({
      url: 'https://peertube.test/a/vic',
      avatar: { url: 'https://peertube.test/avatars/s.png' },
    });
  });

  it('reads actors of Pixelfed and WordPress', () => {
    expect(actor('pixelfed')).toMatchObject({
      name: 'Pip',
      avatar: { url: expect.stringContaining('avatar.jpg?v=1') },
    });
    expect(actor('wordpress')).toMatchObject({ username: 'wim', fields: [{ name: 'Blog' }] });
  });

  it('reads single objects instead of lists, and a key id without a fragment, from GoToSocial', () => {
    expect(actor('gotosocial')).toMatchObject({
      fields: [{ name: 'pronouns', value: 'they' }],
      emojis: [emoji('cat', 'https://gts.test/emoji/cat.png')],
      keys: [{ id: 'https://gts.test/users/gil/main-key' }],
    });
  });
});

describe('parseObject', () => {
  const post = (name: string) => {
    const object = parseObject(posts[name]);
    return object && { ...object, ...TEXT_WORK.post(object.texts) };
  };

  it.each(Object.keys(posts))('reads the author of %s, and its date unless it is a vote', (name) => {
    const { attributedTo, published, isVote } = post(name)!;
    expect(attributedTo).toMatch(/^https:/);
    expect(published !== null || isVote).toBe(true);
  });

  it('reads a post of Mastodon', () => {
    expect(post('mastodonNote')).toMatchObject({
      url: 'https://mastodon.test/@ann/1',
      to: [PUBLIC],
      spoiler: 'food & tea',
      sensitive: true,
      language: 'en',
      updated: new Date('2024-05-01T11:00:00Z'),
      hashtags: ['tea'],
      mentions: [{ href: 'https://gts.test/users/gil' }],
      context: 'tag:mastodon.test,2024-05-01:objectId=1:objectType=Conversation',
      inReplyTo: 'https://gts.test/users/gil/statuses/9',
      replies: ['https://mastodon.test/users/ann/statuses/2'],
      attachments: [
        {
          type: 'image',
          mimeType: 'image/jpeg',
          url: 'https://mastodon.test/files/1.jpg',
          description: 'a cup',
          blurhash: 'UBL_:rOpGG-;00?bM{Rj',
          width: 800,
          height: 600,
          duration: null,
        },
      ],
      poll: null,
      isVote: false,
    });
  });

  it('reads a poll of Mastodon', () => {
    expect(post('mastodonPoll')?.poll).toEqual({
      options: [
        { title: 'green', votes: 3 },
        { title: 'black', votes: 2 },
      ],
      multiple: true,
      nonAnonymous: false,
      expiresAt: new Date('2024-05-02T10:00:00Z'),
      voters: 4,
      mayBeMore: false,
    });
  });

  it('reads a quote with an emoji, and a closed poll, from Misskey', () => {
    expect(post('misskeyNote')).toMatchObject({
      spoiler: '',
      cc: [PUBLIC],
      quoteUri: 'https://mastodon.test/users/ann/statuses/1',
      emojis: [emoji('a', 'https://misskey.test/emoji/a.png')],
      attachments: [{ type: 'image', mimeType: 'image/webp', description: '' }],
    });
    const poll = { multiple: false, voters: 3, expiresAt: new Date('2024-05-03T00:00:00Z') };
    expect(post('misskeyPoll')?.poll).toMatchObject(poll);
  });

  it('reads a file among links, and a vote, from Pleroma', () => {
    expect(post('pleromaNote')).toMatchObject({
      context: 'https://pleroma.test/contexts/1',
      sensitive: false,
      attachments: [{ type: 'video', url: 'https://pleroma.test/media/1.mp4', width: 640, description: 'a film' }],
    });
    expect(post('pleromaAnswer')).toMatchObject({
      isVote: true,
      name: 'green',
      to: ['https://mastodon.test/users/ann'],
      inReplyTo: 'https://mastodon.test/users/ann/statuses/3',
    });
  });

  it('reads the title, the text and the linked page from Lemmy', () => {
    expect(post('lemmyPage')).toMatchObject({
      html:
        '<p><a href="https://lemmy.test/post/1" rel="nofollow noopener ugc">A &lt;good&gt; pot</a></p><p>read this</p>' +
        '<p><a href="https://pots.test/good" rel="nofollow noopener ugc">https://pots.test/good</a></p>',
      language: 'en',
      attachments: [],
      to: ['https://lemmy.test/c/tea', PUBLIC],
    });
  });

  it('reads the author, the page, the file of a suitable size and Markdown from PeerTube', () => {
    expect(post('peertubeVideo')).toMatchObject({
      attributedTo: 'https://peertube.test/accounts/vic',
      url: 'https://peertube.test/w/v1',
      html: '<p><a href="https://peertube.test/w/v1" rel="nofollow noopener ugc">How to brew</a></p><p>First <strong>boil</strong> the water</p>',
      language: 'fr',
      hashtags: ['brewing'],
      attachments: [{ type: 'video', url: 'https://peertube.test/v1-720.mp4', height: 720, duration: 3723 }],
    });
  });

  it('reads a picture from Pixelfed', () => {
    expect(post('pixelfedNote')).toMatchObject({
      hashtags: ['cup'],
      attachments: [{ type: 'image', mimeType: 'image/jpeg', description: 'cup' }],
    });
  });

  it('reads the whole article from WordPress, and its excerpt not as a content warning', () => {
    expect(post('wordpressArticle')).toMatchObject({
      html: '<p><a href="https://blog.test/2024/on-tea/" rel="nofollow noopener ugc">On tea</a></p><p><strong>Leaves</strong></p><p>all of it</p>',
      spoiler: '',
      language: 'nl',
      attachments: [{ mimeType: 'image/png', description: 'leaves' }],
    });
  });

  it('reads single values instead of lists from GoToSocial', () => {
    expect(post('gotosocialNote')).toMatchObject({
      to: [PUBLIC],
      cc: ['https://gts.test/users/gil/followers'],
      emojis: [emoji('cat', 'https://gts.test/emoji/cat.png')],
      attachments: [{ type: 'image', description: 'a cat' }],
      language: 'de',
      replies: [],
    });
  });
});

describe('parseActivity', () => {
  const activity = (name: string) => parseActivity(activities[name])!;

  it.each(Object.keys(activities))('reads an actor, an id and an object of %s', (name) => {
    const { id, actorUri, object } = activity(name);
    for (const uri of [id, actorUri, object.uri]) expect(uri).toMatch(/^https:/);
  });

  it('reads an embedded Follow, a report, a move and a deletion from Mastodon', () => {
    expect(activity('mastodonAccept').object.activity).toMatchObject({
      id: 'https://gts.test/users/gil/follow/1',
      type: 'Follow',
      actorUri: 'https://gts.test/users/gil',
      object: { uri: 'https://mastodon.test/users/ann' },
    });
    expect(activity('mastodonFlag')).toMatchObject({
      content: 'spam',
      objects: ['https://gts.test/users/gil', 'https://gts.test/users/gil/statuses/9'],
    });
    expect(activity('mastodonMove').targetUri).toBe('https://gts.test/users/gil');
    expect(activity('mastodonDelete').object).toMatchObject({
      uri: 'https://mastodon.test/users/ann/statuses/1',
      json: { type: 'Tombstone' },
    });
  });

  it('reads reactions from Misskey and Pleroma', () => {
    const { raw, tag } = activity('misskeyReaction');
    expect(misskeyEmoji(raw)).toBe(':a:');
    expect(parseEmojiTags(tag)).toEqual([emoji('a', 'https://misskey.test/emoji/a.png')]);
    expect(activity('pleromaReaction')).toMatchObject({ type: 'EmojiReact', content: '☕' });
  });

  it('reads announced posts from Lemmy, but no announced votes', () => {
    expect(announcedStatus(activity('lemmyAnnounce'))).toBe('https://other.test/comment/1');
    expect(announcedStatus(activity('lemmyVote'))).toBeUndefined();
    expect(announcedStatus(activity('peertubeAnnounce'))).toBe(activity('peertubeAnnounce').object.uri);
  });

  it('reads the undone activity from GoToSocial', () => {
    expect(activity('gotosocialUndo').object.activity).toMatchObject({
      type: 'Like',
      object: { uri: 'https://mastodon.test/users/ann/statuses/1' },
    });
  });
});
