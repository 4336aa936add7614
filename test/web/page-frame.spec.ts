import { SettingsService } from '../../src/config/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { enableMfa } from '../support/fixtures/mfa.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice'] });
let visit: BrowserVisit;

beforeEach(() => {
  visit = new BrowserVisit(app);
});
afterEach(async () => {
  for (const path of ['instance.source_url', 'instance.registrations_open']) await app.get(SettingsService).reset(path);
});

const barOf = ({ text }: { readonly text: string }) =>
  Array.from((/<nav class="bar"[^]*?<\/nav>/.exec(text)?.[0] ?? '').matchAll(/href="([^"]*)"/g), ([, path]) => path);
const NEXT = '?return_to=%2Fapp%2Ftags%2Ftea';

describe('the bar of visitors on the way to a sign-in', () => {
  it.each([
    ['/auth/sign_in', ['/explore', '/auth/sign_up?return_to=%2Fapp']],
    [`/auth/sign_in${NEXT}`, ['/explore', `/auth/sign_up${NEXT}`]],
    [`/auth/sign_up${NEXT}`, ['/explore', `/auth/sign_in${NEXT}`]],
    ['/auth/password', ['/explore', '/auth/sign_up?return_to=%2Fapp', '/auth/sign_in?return_to=%2Fapp']],
    [
      '/auth/sign_in?return_to=%2Fapp%2Fposts%2F42',
      ['/explore', '/main/ostatus?status_id=42', '/auth/sign_up?return_to=%2Fapp%2Fposts%2F42'],
    ],
    ['/auth/start', ['/explore', '/auth/sign_up?return_to=%2Fapp', '/auth/sign_in?return_to=%2Fapp']],
    ['/main/public', ['/explore', '/auth/sign_up?return_to=%2Fapp%2Flocal', '/auth/sign_in?return_to=%2Fapp%2Flocal']],
  ])('leads from %s to the others and on to the same page', async (path, bar) => {
    expect(barOf(await visit.get(path))).toEqual(bar);
  });

  it('leads people of other servers from the sign-in to the account that they came from', async () => {
    const profile = barOf(await visit.get('/@alice'));
    const elsewhere = profile[1]!;
    expect(barOf(await visit.get(profile[3]!))).toContain(elsewhere);
    expect((await visit.get(elsewhere)).text).toContain('Follow alice');
  });

  it('stays on the page of the second factor, and leads on to the same page from there', async () => {
    await enableMfa(app, 'alice');
    await visit.get(`/auth/sign_in${NEXT}`);
    const asked = await visit.submit({ name: 'alice', password: PASSWORD });
    expect(barOf(asked)).toEqual(['/explore', `/auth/sign_up${NEXT}`]);
    const [, other = ''] = /href="(\/oauth\/mfa\?[^"]*)"/.exec(asked.text) ?? [];
    expect(barOf(await visit.get(other.replaceAll('&amp;', '&')))).toEqual(['/explore', `/auth/sign_up${NEXT}`]);
  });

  it('stays when the password is wrong', async () => {
    await visit.get(`/auth/sign_in${NEXT}`);
    expect(barOf(await visit.submit({ name: 'alice', password: 'wrong' }))).toContain(`/auth/sign_up${NEXT}`);
  });

  it('leads nobody to a sign-up that is closed', async () => {
    await app.get(SettingsService).update([{ path: 'instance.registrations_open', value: false }]);
    expect(barOf(await visit.get('/auth/sign_in'))).toEqual(['/explore']);
  });
});

it('every page names the software with its version, its licence and its source', async () => {
  await app.get(SettingsService).update([{ path: 'instance.source_url', value: 'https://code.test/svc' }]);
  const signedIn = await new BrowserVisit(app).signIn('alice');
  const pages = [
    ...(await Promise.all(
      ['/', '/auth/sign_in', '/auth/password', '/@alice', '/nothing'].map((path) => visit.get(path)),
    )),
    ...(await Promise.all(['/app/home', '/auth/account'].map((path) => signedIn.get(path)))),
  ];
  for (const { text } of pages) {
    const foot = /<footer[^]*<\/footer>/.exec(text)?.[0];
    expect(foot).toContain(`svc ${app.env.version}`);
    expect(foot).toMatch(/<a href="https:\/\/www\.gnu\.org\/licenses\/agpl-3\.0\.html">AGPL-3\.0<\/a>/);
    expect(foot).toContain('<a href="https://code.test/svc">');
  }
});
