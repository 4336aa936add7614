import { AccountDeletionService, UsersService } from '../../../src/accounts/index.js';
import { CardAuthorsIndex1764000333001 } from '../../../src/migrations/timelines/1764000333001-card-authors-index.js';
import { PreviewCardShape } from '../../../src/statuses/index.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';
import { checkShape } from '../../support/shape.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  web = await startWebHost();
});
afterEach(() => web.close());

const PROFILE = '/api/v1/accounts/update_credentials';
const [NAMED, ITS_OWN] = [
  ['Alice A.', 'https://svc.test/users/alice'],
  ['Ann', ''],
];

/** A post by bob with a link to a page that names alice as its author, and what its card shows of her, in each place. */
async function linked(): Promise<() => Promise<unknown[]>> {
  await alice.patch(PROFILE, { attribution_domains: ['127.0.0.1'], display_name: 'Alice A.' }).expect(200);
  web.page(
    '/page',
    '<title>A</title><meta name="author" content="Ann"><meta name="fediverse:creator" content="alice@svc.test">',
  );
  const { id } = await post(app, 'bob', `${web.origin}/page`);
  return async () => {
    await app.drain();
    const { card } = await ok(app.world.anonymous.get(`/api/v1/statuses/${id}`));
    expect(checkShape(PreviewCardShape, card)).toEqual([]);
    expect(await ok<unknown>(app.world.anonymous.get(`/api/v1/statuses/${id}/card`))).toEqual(card);
    return [card?.author_name, card?.author_url];
  };
}
const versions = async () =>
  (await app.sql<{ version: number }>('select version from statuses')).map((row) => row.version);

describe('the account that a linked page names as its author', () => {
  it.each<[string, unknown[], () => Promise<unknown>]>([
    ['deletes itself', ITS_OWN, () => app.get(AccountDeletionService).delete(app.world.id('alice'))],
    ['is deactivated', ITS_OWN, () => app.get(UsersService).setActive(app.world.id('alice'), false)],
    ['takes the domain back', ITS_OWN, () => alice.patch(PROFILE, { attribution_domains: [] }).expect(200)],
    ['is renamed', ['Alice B.', NAMED[1]], () => alice.patch(PROFILE, { display_name: 'Alice B.' }).expect(200)],
  ])('is shown by the card as it is after it %s', async (_, after, change) => {
    const shown = await linked();
    expect(await shown()).toEqual(NAMED);
    await change();
    expect(await shown()).toEqual(after);
  });

  it('is shown again when it returns, and by pages from before it named their domain', async () => {
    const shown = await linked();
    expect(await shown()).toEqual(NAMED);
    for (const [active, expected] of [
      [false, ITS_OWN],
      [true, NAMED],
    ] as const) {
      await app.get(UsersService).setActive(app.world.id('alice'), active);
      expect(await shown()).toEqual(expected);
    }
    await alice.patch(PROFILE, { attribution_domains: [] }).expect(200);
    expect(await shown()).toEqual(ITS_OWN);
    await alice.patch(PROFILE, { attribution_domains: ['127.0.0.1'] }).expect(200);
    expect(await shown()).toEqual(NAMED);
  });

  it('is shown when it names the domain at the moment in which the page is read', async () => {
    const shown = await linked();
    const names = 'update accounts set attribution_domains = $2 where id = $1';
    await app.sql(names, [app.world.id('alice'), []]);
    await holding(app, async (holder) => {
      await holder.query(names, [app.world.id('alice'), ['127.0.0.1']]);
      const saving = shown();
      await waitersOf(holder, 1);
      await holder.query('commit');
      expect(await saving).toEqual(NAMED);
    });
  });

  it('is found by the migration in cards that kept its name as a text', async () => {
    const shown = await linked();
    await shown();
    const { statements } = new CardAuthorsIndex1764000333001() as unknown as { statements: string };
    await app.sql(`update cards set preview = preview || author, author_id = null, author_host = null, author = null`);
    await app.sql(statements.slice(0, statements.indexOf('create index')));
    expect(await shown()).toEqual(NAMED);
    await app.get(AccountDeletionService).delete(app.world.id('alice'));
    expect(await shown()).toEqual(['', '']);
  });

  it('changes no post with what its card does not show, and makes no job for it', async () => {
    const shown = await linked();
    expect(await shown()).toEqual(NAMED);
    const before = await versions();
    await alice.patch(PROFILE, { note: 'tea' }).expect(200);
    expect(await app.sql(`select from jobs where name = 'cards.rename-author'`)).toEqual([]);
    expect(await shown()).toEqual(NAMED);
    expect(await versions()).toEqual(before);
  });
});
