import { Visibility } from '../../statuses/index.js';
import { mayHaveShown, type OpenStatus, openStream, openTopics, userOfTopic } from './topics.js';

const LOCAL: OpenStatus = { visibility: Visibility.public, local: true, servers: [], hasMedia: false, tags: [] };
const REMOTE: OpenStatus = { ...LOCAL, local: false, servers: ['other.example'] };
const auth = {
  tokenId: '1',
  appId: '1',
  accountId: 'A1',
  scopes: ['read'],
  isAdmin: false,
  isModerator: false,
};

describe('openTopics', () => {
  it.each<readonly [name: string, post: OpenStatus, topics: readonly string[]]>([
    ['a local post', LOCAL, ['public', 'public:local']],
    ['a remote post', REMOTE, ['public', 'public:remote', 'public:remote other.example']],
    [
      'a local post with files',
      { ...LOCAL, hasMedia: true },
      ['public', 'public:local', 'public:media', 'public:local:media'],
    ],
    [
      'a remote post of a server with two names',
      { ...REMOTE, servers: ['other.example', 'ap.example'] },
      ['public', 'public:remote', 'public:remote other.example', 'public:remote ap.example'],
    ],
    [
      'a remote post with files',
      { ...REMOTE, hasMedia: true },
      [
        'public',
        'public:remote',
        'public:remote other.example',
        'public:media',
        'public:remote:media',
        'public:remote:media other.example',
      ],
    ],
    [
      'a local post with tags',
      { ...LOCAL, tags: ['tea', 'fog'] },
      ['public', 'public:local', 'hashtag tea', 'hashtag fog', 'hashtag:local tea', 'hashtag:local fog'],
    ],
    [
      'a remote post with a tag',
      { ...REMOTE, tags: ['tea'] },
      ['public', 'public:remote', 'public:remote other.example', 'hashtag tea'],
    ],
    ['a post for this server only', { ...LOCAL, visibility: Visibility.local, tags: ['tea'] }, ['public:local']],
    ...(['unlisted', 'private', 'direct', 'list'] as const).map(
      (name) =>
        [
          `a post with visibility ${name}`,
          { ...LOCAL, visibility: Visibility[name], hasMedia: true, tags: ['tea'] },
          [],
        ] as const,
    ),
  ])('lists the topics of %s', (_, post, topics) => {
    expect(openTopics(post)).toEqual(topics);
    for (const topic of topics) expect(mayHaveShown(topic, post)).toBe(true);
  });

  it('matches the topics of a deleted post without its tags, media and domain', () => {
    const all = ['public', 'public:media', 'public:local', 'public:local:media', 'hashtag tea', 'hashtag:local tea'];
    expect(all.filter((topic) => mayHaveShown(topic, LOCAL))).toEqual(all);
    for (const topic of ['public:remote', 'public:remote other.example']) {
      expect([mayHaveShown(topic, LOCAL), mayHaveShown(topic, REMOTE)]).toEqual([false, true]);
    }
    expect(mayHaveShown('public:remote:media third.example', REMOTE)).toBe(true);
    for (const topic of ['public:local', 'hashtag:local tea']) expect(mayHaveShown(topic, REMOTE)).toBe(false);
    for (const topic of ['user A1', 'direct A1', 'user:notifications A1'])
      expect(mayHaveShown(topic, LOCAL)).toBe(false);
    const inner = { ...LOCAL, visibility: Visibility.local };
    expect(all.filter((topic) => mayHaveShown(topic, inner))).toEqual(['public:local', 'public:local:media']);
  });
});

describe('openStream', () => {
  it('returns one topic for all names of a stream and keeps the words of the client', () => {
    expect(openStream({ stream: 'user:notification' }, auth)).toEqual({
      topic: 'user:notifications A1',
      label: '["user:notification"]',
    });
    expect(openStream({ stream: 'hashtag', tag: 'Te\u0301' }, undefined)).toEqual({
      topic: 'hashtag t\u00e9',
      label: JSON.stringify(['hashtag', 'Te\u0301']),
    });
  });

  it.each([
    [{ stream: 'public:remote' }, 'public:remote', ['public:remote']],
    [{ stream: 'public:remote:media', instance: '' }, 'public:remote:media', ['public:remote:media']],
    [{ stream: 'public:remote', instance: null }, 'public:remote', ['public:remote']],
    [{ stream: 'public:remote', instance: 'A.example' }, 'public:remote a.example', ['public:remote', 'A.example']],
  ])('opens the stream of one server, or of all without a name: %j', (query, topic, label) => {
    expect(openStream(query, undefined)).toEqual({ topic, label: JSON.stringify(label) });
  });

  it('names the account of the user stream only', () => {
    expect(userOfTopic(openStream({ stream: 'user' }, auth).topic)).toBe('A1');
    expect(userOfTopic(openStream({ stream: 'user:notifications' }, auth).topic)).toBeUndefined();
    expect(userOfTopic('public')).toBeUndefined();
  });
});
