import { TokensService } from '../../../src/oauth/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { PASSWORD } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: ['alice'] });
let visit: BrowserVisit;

beforeEach(() => {
  visit = new BrowserVisit(app);
});

const signIn = async (return_to: string, password = PASSWORD) => {
  await visit.get('/auth/sign_in', { return_to });
  return visit.submit({ name: 'alice', password });
};

it('signing in on the page redirects to the requested page', async () => {
  const answer = await signIn('/oauth/authorize?a=1');
  expect([answer.status, answer.headers.location]).toEqual([303, '/oauth/authorize?a=1']);
  expect((await visit.get('/auth/sign_in')).headers.location).toBe('/');
});

it.each(['https://evil.test/', '//evil.test/', '/\\evil.test', 'javascript:alert(1)', '\t//evil.test', ''])(
  'O1 signing in does not redirect to %j',
  async (target) => {
    expect((await signIn(target)).headers.location).toBe('/');
  },
);

it('O12 a wrong password shows an error and sets no cookie', async () => {
  const page = await signIn('/', 'wrong');
  expect([page.status, page.headers['set-cookie']]).toEqual([401, undefined]);
  expect(page.text).toContain('The name or the password is wrong.');
});

it('O18 the cookie changes with each sign-in, and signing out requires the token of the page', async () => {
  const cookie = async () => (await signIn('/')).headers['set-cookie']![0];
  const cookies = [await cookie()];
  visit.forgetCookies();
  cookies.push(await cookie());
  expect(cookies[0]).not.toBe(cookies[1]);
  const token = /_svc_key=([^;]+)/.exec(cookies[1]!)![1]!;
  expect(await app.get(TokensService).resolve(token)).toBeDefined();
  expect((await visit.post('/auth/sign_out', {})).status).toBe(403);
  const page = await visit.get('/oauth/authorize', {});
  expect(page.status).toBe(400);
});
