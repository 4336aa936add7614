import { UsersService } from '../../../src/accounts/index.js';
import type { BackupJson } from '../../../src/portability/backups/backup.shape.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { pathOf } from '../../support/fixtures/uploads.js';
import { unzipped } from '../../support/fixtures/zip.js';
import { useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';

const PATH = '/api/v1/svc/backups';

const mails = useMails();
const app = useApp({ people: ['alice'], env: () => ({ SMTP_URL: mails.url }) });

const setActive = (active: boolean) => app.get(UsersService).setActive(app.world.id('alice'), active);
const download = (url: string) => app.http.get(pathOf(url)).buffer(true).responseType('blob');
const letter = (to: string) => mails.to(to).find(({ text }) => text.includes('/backups/'));
const order = async () =>
  ok((await app.world.as('root', 'admin')).post('/api/v1/svc/admin/backups', { nickname: 'alice' }));
const archives = async () => ok<BackupJson[]>((await app.world.as('alice')).get(PATH));

describe('an archive that the staff orders', () => {
  it.each([
    ['a deactivated', 'update accounts set deactivated_at = now() where id = $1'],
    ['an unconfirmed', 'update users set is_confirmed = false where account_id = $1'],
  ])('holds %s account, and opens at the address in the letter', async (_, hide) => {
    await app.world.person('root', { admin: true });
    await post(app, 'alice', 'before that');
    await app.sql(hide, [app.world.id('alice')]);
    await order();
    await app.drain();
    const [url = ''] = /https:\S+\/backups\/\S+/.exec(letter('root@mail.test')?.text ?? '') ?? [];
    const files = await unzipped((await download(url).expect(200)).body as Buffer);
    expect(JSON.parse(String(files.get('actor.json')))).toMatchObject({ id: 'https://svc.test/users/alice' });
    expect(JSON.parse(String(files.get('outbox.json')))).toMatchObject({ totalItems: 1 });
    expect(letter('alice@mail.test')).toBeUndefined();
  });
});

describe('an archive that the staff orders beside one of the owner', () => {
  it('leaves that one and its letter, and does not count for the owner', async () => {
    await app.world.person('root', { admin: true });
    await order();
    await app.drain();
    await ok((await app.world.as('alice')).post(PATH));
    await order();
    await app.drain();
    expect(await archives()).toMatchObject([{ processed: true }, { processed: true }]);
    for (const to of ['alice@mail.test', 'root@mail.test']) {
      const letters = mails.to(to).filter(({ text }) => text.includes('/backups/'));
      const [url = ''] = /https:\S+\/backups\/\S+/.exec(letters.at(-1)?.text ?? '') ?? [];
      await download(url).expect(200);
    }
  });
});

describe('the letter about an archive that the staff ordered', () => {
  const CLOSED =
    'with gone as (delete from users where account_id = $1) update accounts set deleted_at = now() where id = $1';

  it.each([
    ['closed the account', CLOSED],
    ['is no administrator any more', 'update users set is_admin = false where account_id = $1'],
    ['is a moderator now', 'update users set is_admin = false, is_moderator = true where account_id = $1'],
    ['is deactivated', 'update accounts set deactivated_at = now() where id = $1'],
    ['is to confirm the address', 'update users set is_confirmed = false where account_id = $1'],
  ])('goes to nobody when who ordered it %s', async (_, end) => {
    const { id } = await app.world.person('root', { admin: true });
    await order();
    await app.sql(end, [id]);
    await app.drain();
    expect(letter('root@mail.test')).toBeUndefined();
    expect(await app.sql(`select name, attempts from jobs where name = 'mail.backup-ready'`)).toEqual([]);
  });
});

describe('an archive of an account that is deactivated before it is made', () => {
  it('opens for its owner once the account is active again', async () => {
    const [ordered] = await ok<BackupJson[]>((await app.world.as('alice')).post(PATH));
    await setActive(false);
    await app.drain();
    await download(ordered?.url ?? '').expect(404);
    await setActive(true);
    expect(await archives()).toMatchObject([{ processed: true, url: ordered?.url }]);
    await download(ordered?.url ?? '').expect(200);
  });
});
