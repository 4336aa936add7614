import { SettingsService } from '../../src/config/index.js';
import { useApp } from '../support/servers/app.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { post } from '../support/fixtures/statuses.js';

const SETTING = 'instance.skip_thread_containment';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'], listening: true });
let root: string;

beforeEach(async () => {
  for (const name of ['bob', 'dave']) await app.world.follow(name, 'alice');
  await app.world.follow('alice', 'carol');
  await app.world.follow('dave', 'carol');
  root = (await post(app, 'carol', 'for friends', { visibility: 'private' })).id;
  await app.drain();
});

const PEOPLE = ['alice', 'bob', 'carol', 'dave'];

/** The readers and streams that get two replies by alice, one to the other. All readers may see both. */
async function arrived(): Promise<string[]> {
  const sockets: [string, TestSocket][] = [];
  for (const name of ['alice', 'bob', 'dave']) {
    sockets.push([`${name} at home`, await connectAs(app, name, { stream: 'user' })]);
    sockets.push([`${name} in public`, await connectAs(app, name, { stream: 'public' })]);
  }
  sockets.push(['a visitor', await connect(app, { stream: 'public' })]);
  const first = await post(app, 'alice', 'one', { visibility: 'public', in_reply_to_id: root });
  await post(app, 'alice', 'two', { visibility: 'public', in_reply_to_id: first.id });
  await app.drain();
  await sendMarker(app, PEOPLE);
  const found: string[] = [];
  for (const [name, socket] of sockets) {
    const frames = (await socket.until(isMarker)).filter(({ event }) => event === 'update');
    if (frames.length > 0) found.push(`${name}: ${frames.length}`);
    await socket.close();
  }
  return found;
}

const ALL = ['alice', 'bob', 'dave'].flatMap((name) => [`${name} at home: 2`, `${name} in public: 2`]);

describe('thread containment on streams', () => {
  it('is off by default', async () => {
    expect(await arrived()).toEqual([...ALL, 'a visitor: 2']);
  });

  it('hides threads that the viewer may see only in part, except from the author', async () => {
    await app.get(SettingsService).update([{ path: SETTING, value: false }]);
    expect(await arrived()).toEqual(ALL.filter((name) => !name.startsWith('bob')));
  });

  it('can be switched off by each account', async () => {
    await app.get(SettingsService).update([{ path: SETTING, value: false }]);
    const bob = await app.world.as('bob');
    await bob.patch('/api/v1/accounts/update_credentials', { skip_thread_containment: true }).expect(200);
    expect(await arrived()).toEqual(ALL);
  });
});
