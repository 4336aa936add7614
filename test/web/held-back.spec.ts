import type { NotificationPolicyJson, NotificationRequestJson } from '../../src/notifications/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { receivedBy } from '../support/fixtures/notifications.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const PATH = '/app/notifications/held_back';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});

const alice = () => app.world.as('alice');
const requests = async () => ok<NotificationRequestJson[]>((await alice()).get('/api/v1/notifications/requests'));
const policy = async () => ok<NotificationPolicyJson>((await alice()).get('/api/v2/notifications/policy'));

/** Lets strangers mention alice, whose policy puts their notifications aside. */
async function heldBack(...names: readonly string[]): Promise<void> {
  await (await alice()).patch('/api/v2/notifications/policy', { for_not_following: 'filter' }).expect(200);
  for (const name of names) await post(app, name, '@alice about tea', { spoiler_text: `plot of ${name}` });
  await app.drain();
}

describe('the page of held-back notifications', () => {
  it('shows the requests of the API, which the page of notifications counts', async () => {
    await heldBack('bob', 'bob', 'carol');
    const notices = await visit.get('/app/notifications');
    expect(notices.text).toMatch(new RegExp(`href="${PATH}"[^>]*>Held back <span class="count">2<`));
    expect(wordsOf(notices)).not.toContain('plot');
    const page = await visit.get(PATH);
    expect(wordsOf(page)).toMatch(/carol.*1 notification.*plot of carol.*bob.*2 notifications.*plot of bob/);
    expect(page.text).not.toContain('about tea');
    const ids = [...page.text.matchAll(/held_back\/(\d+)\/accept/g)].map(([, id]) => id);
    expect(ids).toEqual((await requests()).map(({ id }) => id));
  });

  it('lets a person in, and dismisses the notifications of another', async () => {
    await heldBack('bob', 'carol');
    const [ofCarol, ofBob] = await requests();
    await visit.get(PATH);
    expect((await visit.press(`${PATH}/${ofBob!.id}/accept`)).headers['location']).toBe(PATH);
    await visit.get(PATH);
    await visit.press(`${PATH}/${ofCarol!.id}/dismiss`);
    expect(await requests()).toEqual([]);
    await post(app, 'bob', '@alice again');
    await app.drain();
    expect(await receivedBy(app, 'alice')).toHaveLength(2);
    expect(wordsOf(await visit.get(PATH))).toContain('Nothing is held back.');
  });

  it('changes the policy', async () => {
    await visit.get(PATH);
    await visit.submit({ 'policy[for_new_accounts]': 'drop', 'policy[for_not_followers]': 'accept' });
    expect(await policy()).toMatchObject({ for_new_accounts: 'drop', for_not_followers: 'accept' });
    const { text } = await visit.get(PATH);
    expect(text).toMatch(/id="for_new_accounts"[^]*?<option value="drop"\s+selected/);
  });

  it('answers 404 for requests of other people, and leaves them', async () => {
    await heldBack('bob');
    const [request] = await requests();
    const other = await new BrowserVisit(app).signIn('bob');
    await other.get(PATH);
    for (const action of ['accept', 'dismiss'])
      expect((await other.post(`${PATH}/${request!.id}/${action}`, { _csrf: other.field('_csrf')! })).status).toBe(404);
    expect(await requests()).toHaveLength(1);
  });
});
