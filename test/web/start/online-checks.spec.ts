import { RUN_LOCK } from '../../../src/instance/index.js';
import { tryAdvisoryLock } from '../../../src/platform/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { wordsOf } from '../../support/pages.js';
import { type Behind, startBehind } from '../../support/servers/reverse-proxy.js';

const PATH = '/app/start/check';

let behind: Behind;
beforeAll(async () => {
  behind = await startBehind({ RATE_LIMITS: 'on' });
});
afterAll(() => behind.close());
beforeEach(async () => {
  await behind.app.reset();
  await behind.app.world.person('admin', { admin: true });
});

const signedIn = (name: string, language = 'en') => new BrowserVisit(behind.app, language).signIn(name);

/** What the page says of a check. */
function rowOf(page: { readonly text: string }, check: string): string {
  const row = page.text.split('<li>').find((part) => part.includes(`<b>${check}</b>`)) ?? '';
  return row
    .replace(/<\/li>.*/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('the page of the checks from outside', () => {
  it('shows what each check finds and what to do, when an administrator presses the button', async () => {
    behind.proxy.faults = { dropsUpgrades: true };
    const admin = await signedIn('admin');
    expect((await admin.get('/app/start')).text).toContain(`action="${PATH}"`);
    const page = await admin.submit();
    expect(page.status).toBe(200);
    expect(rowOf(page, 'headers')).toMatch(/^headers ok$/);
    expect(rowOf(page, 'WebSocket')).toMatch(/does not pass the upgrade on .* Let the proxy pass on .* problem$/);
    expect(page.text).toMatch(/<time datetime="20\d\d-[^"]+Z">/);
    expect((await admin.get(PATH)).text).not.toContain('class="rows findings"'); // nothing is stored
  });

  it('speaks the language of its reader', async () => {
    behind.proxy.faults = { headers: { signature: undefined } };
    const admin = await signedIn('admin', 'de');
    await admin.get(PATH);
    const page = await admin.submit();
    expect(rowOf(page, 'Header')).toContain('Der Proxy verändert oder verschluckt den Header Signature.');
  });

  it('says that the rules on addresses forbid the way on, where an answer leads to a private one', async () => {
    behind.proxy.faults = { redirects: { '/internal/fetch': 'http://10.0.0.1/actor' } };
    const admin = await signedIn('admin');
    await admin.get(PATH);
    expect(rowOf(await admin.submit(), 'actor')).toMatch(
      /leads to http:\/\/10\.0\.0\.1\/actor: .* not public or not https/,
    );
  });

  it('is for administrators', async () => {
    await behind.app.world.person('alice');
    const alice = await signedIn('alice');
    expect((await alice.get(PATH)).status).toBe(403);
    expect((await alice.post(PATH, alice.fields)).status).toBe(403);
  });

  it('runs once at a time, over all processes', async () => {
    const admin = await signedIn('admin');
    await admin.get(PATH);
    const page = await tryAdvisoryLock(behind.app.address, RUN_LOCK, () => admin.submit());
    expect(page?.status).toBe(409);
    expect(wordsOf(page!)).toContain('A check is running already');
  });
});
