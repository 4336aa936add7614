import { misskeyEmoji, parseActivity } from './activity.js';

const ZOE = 'https://far.test/users/zoe';
const NOTE = 'https://svc.test/objects/1';
const like = { id: 'https://far.test/likes/1', type: 'Like', actor: ZOE, object: NOTE };
const parsed = (changes: object) => parseActivity({ ...like, ...changes });

describe('parseActivity', () => {
  it.each([
    ['a list', [like]],
    ['no type', { ...like, type: 5 }],
    ['no actor', { ...like, actor: null }],
    ['an id of another server (threat F5)', { ...like, id: 'https://other.test/likes/1' }],
    ['no id', { ...like, id: undefined }],
    ['an object as id', { ...like, id: { id: like.id } }],
  ])('refuses %s', (_case, json) => {
    expect(parseActivity(json)).toBeUndefined();
  });

  it('reads the actor and the object as texts or objects', () => {
    const json = { id: NOTE, type: 'Note' };
    const activity = parsed({ type: ['Like', 'x'], actor: { id: ZOE, type: 'Person' }, object: json });
    expect(activity).toMatchObject({ type: 'Like', actorUri: ZOE, object: { uri: NOTE, json } });
    expect(parsed({})).toMatchObject({ object: { uri: NOTE }, to: [], cc: [], targetUri: null, content: null });
  });

  it('gives a report without an id the same id each time', () => {
    const flag = { id: null, type: 'Flag', object: [ZOE, NOTE] };
    const [first, again, other] = [parsed(flag), parsed(flag), parsed({ ...flag, object: [ZOE] })];
    expect(first?.id).toMatch(/^https:\/\/far\.test\/users\/zoe#Flag\//);
    expect(again?.id).toBe(first?.id);
    expect(other?.id).not.toBe(first?.id);
  });

  it('reads embedded activities, three levels at most (threat F13)', () => {
    let nested: object = like;
    for (let level = 0; level < 3_000; level += 1) nested = { ...like, type: 'Undo', object: nested };
    const undo = parseActivity(nested);
    expect(undo?.object.activity?.object.activity?.object.activity).toBeUndefined();
    expect(undo?.object.activity?.object.activity?.type).toBe('Undo');
  });

  it.each([
    ['an id of another server', { ...like, id: 'https://other.test/1' }, 'https://other.test/1'],
    ['no id', { ...like, id: null }, ''],
    ['no actor', { ...like, actor: undefined }, like.id],
  ])('reads an undone activity with %s', (_case, object, id) => {
    expect(parsed({ type: 'Undo', object })?.object.activity).toMatchObject({ id, actorUri: ZOE, type: 'Like' });
  });

  it('limits objects and texts', () => {
    const activity = parsed({
      object: Array.from({ length: 5_000 }, (_, at) => `${NOTE}/${at}`),
      content: 'x'.repeat(99_999),
    });
    expect(activity?.objects).toHaveLength(200);
    expect(activity?.content).toHaveLength(10_000);
  });
});

describe('misskeyEmoji', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['like', '👍'],
    ['❤️', '❤'],
    ['love', '❤'],
    [':a@far.test:', ':a@far.test:'],
    ['constructor', 'constructor'],
  ])('reads %j as %j', (sent, emoji) => {
    expect(misskeyEmoji({ _misskey_reaction: sent })).toBe(emoji);
  });
});
