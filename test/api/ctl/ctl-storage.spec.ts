import { setAges, storeOld } from '../../support/fixtures/retention.js';
import { useApp } from '../../support/servers/app.js';
import { runCtl } from '../../support/servers/ctl.js';

const app = useApp({ people: ['alice'] });
const ctl = (...args: string[]) => runCtl(app.variables, ...args);

interface Total {
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
}

beforeEach(async () => {
  await app.world.remote('ann', 'far.test');
  await storeOld(app, 'ann@far.test', 'one');
});

describe('ctl storage', () => {
  it('shows the sizes of tables and folders, and what would go', async () => {
    await setAges(app, [{ path: 'retention.remote_post_days', value: 30 }]);
    const { code, out } = await ctl('storage', 'report');
    expect(code).toBe(0);
    expect(out).toMatch(/^database {2}\d+(\.\d)? [kMG]B$/m);
    expect(out).toMatch(/^ {2}statuses +\d+(\.\d)? [kM]B +about \d+ rows$/m);
    expect(out).toMatch(/^ {2}media +\d+(\.\d)? B +\d+ files?$/m);
    expect(out).toMatch(/^ {2}posts +older than 30 days +1 +about \d+(\.\d)? [kM]B$/m);
    expect(out).toMatch(/^ {2}accounts +kept: no age is set$/m);
    const { old } = JSON.parse((await ctl('storage', 'report', '--json')).out) as { old: Total[] };
    expect(old.find(({ kind }) => kind === 'posts')).toMatchObject({ rows: 1 });
  });

  it('removes what its dry run showed', async () => {
    const prune = ['storage', 'prune', '--kind', 'posts', '--older-than', '30'];
    const dry = await ctl(...prune, '--dry-run');
    expect(await app.sql(`select from statuses where not local`)).toHaveLength(1);
    expect(dry.out).toMatch(/^posts {2}older than 30 days {2}1 {2}about \d/);
    expect(await ctl(...prune)).toEqual(dry);
    expect(await app.sql(`select from statuses where not local`)).toEqual([]);
    expect((await ctl(...prune)).out).toMatch(/^posts {2}older than 30 days {2}0 /);
  });

  it('removes nothing without an age, and takes none for all kinds at once', async () => {
    expect(await ctl('storage', 'prune', '--kind', 'posts')).toEqual({
      code: 0,
      out: 'posts  kept: no age is set',
      err: '',
    });
    expect(await ctl('storage', 'prune', '--older-than', '30')).toMatchObject({ code: 2 });
    expect(await ctl('storage', 'prune', '--kind', 'posts', '--older-than', '0')).toMatchObject({ code: 2 });
    expect(await app.sql(`select from statuses where not local`)).toHaveLength(1);
  });

  it('tells the size of the database in doctor', async () => {
    expect((await ctl('doctor')).out).toMatch(
      /^ok {5}storage: the database has \d.* [kMG]B \(.+ [kM]B, .+\); "storage report" tells about files$/m,
    );
  });
});
