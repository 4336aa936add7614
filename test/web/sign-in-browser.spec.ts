import { createHash } from 'node:crypto';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { SettingsService } from '../../src/config/index.js';
import { AppsService, TokensService } from '../../src/oauth/index.js';
import { InvitesService } from '../../src/sign-in/index.js';
import { codeAt, enableMfa } from '../support/fixtures/mfa.js';
import { type ClientKeys, OauthClient, type TokenAnswer } from '../support/fixtures/oauth.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';
import { AXE, hasBrowser, useBrowser, viewed, widthOf } from '../support/servers/browser.js';
import { connect } from '../support/servers/sockets.js';
import { useWebHost } from '../support/servers/web-host.js';

const PHONE = 375;
const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';
const VERIFIER = 'v'.repeat(50);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: signing in with a browser, since there is no chromium on PATH');

inBrowser('signing in with a browser', () => {
  const browser = useBrowser();
  /** The site of an app, on a loopback address. */
  const site = useWebHost();
  const app = useApp({ once: ['alice', 'bob'], listening: true });
  const oauth = new OauthClient(app);
  let redirectUri: string;
  let bobsKey: string;
  let client: ClientKeys;

  beforeAll(async () => {
    bobsKey = (await enableMfa(app, 'bob')).key;
    redirectUri = `${site.origin}/callback`;
    client = await oauth.register('read write follow push', `${redirectUri} ${OUT_OF_BAND}`, 'W'.repeat(60));
  });

  function authorizeUrl(address: string, more: Readonly<Record<string, string>> = {}): string {
    const { client_id } = client;
    const request = {
      response_type: 'code',
      client_id,
      redirect_uri: address,
      scope: 'read write follow push',
      ...more,
    };
    return `${app.env.baseUrl}/oauth/authorize?${new URLSearchParams(request).toString()}`;
  }

  /** Runs `act`, waits for the code that the app gets, and exchanges it. */
  async function tokenAfter(page: Page, act: () => Promise<unknown>): Promise<TokenAnswer> {
    const arrived = page.waitForRequest((request) => request.url().startsWith(redirectUri));
    await act();
    const { code } = Object.fromEntries(new URL((await arrived).url()).searchParams);
    const grant = { grant_type: 'authorization_code', code: code!, redirect_uri: redirectUri, code_verifier: VERIFIER };
    return (await oauth.token(client, grant).expect(200)).body as TokenAnswer;
  }

  it('leads a new user from the app through sign-up to a second factor, and ends the sign-in everywhere', async () => {
    await app.get(SettingsService).update([{ path: 'captcha.enabled', value: false }]);
    site.page('/callback', '<title>App</title>');
    const page = await browser.newPage({ ...viewed({ width: PHONE }), javaScriptEnabled: false });
    const asked = authorizeUrl(redirectUri, { code_challenge: CHALLENGE, code_challenge_method: 'S256' });
    await page.goto(asked);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.fill('#username', 'carol');
    await page.fill('#password', PASSWORD);
    await page.getByRole('checkbox').check();
    await page.getByRole('button').click();
    const first = await tokenAfter(page, () => page.getByRole('button', { name: 'Allow' }).click());
    await page.waitForURL(`${redirectUri}?**`);
    expect(await oauth.statusOf(first.access_token)).toBe(200);

    await page.goto(`${app.env.baseUrl}/auth/account/second_factor`);
    const key = await page.locator('code.copy').innerText();
    await page.fill('#code', codeAt(key));
    await page.fill('#password', PASSWORD);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.goto(`${app.env.baseUrl}/auth/account`);
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.goto(asked);
    await signIn(page, 'carol', PASSWORD);
    await page.fill('#code', codeAt(key, 1));
    const second = await tokenAfter(page, () => page.getByRole('button').click());
    const socket = await connect(app, { access_token: second.access_token, stream: 'user' });
    const authorization = `Bearer ${second.access_token}`;
    const listed = await app.http.get('/api/oauth_tokens').set({ authorization }).expect(200);
    expect((listed.body as { id: number }[]).map(({ id }) => id)).toEqual(
      expect.arrayContaining([first.id, second.id]),
    );
    await app.http.delete(`/api/oauth_tokens/${second.id}`).set({ authorization }).expect(200);
    await socket.closed;
    const ended = await Promise.all([first, second].map((token) => oauth.statusOf(token.access_token)));
    expect(ended).toEqual([200, 401]);
    await page.context().close();
  });

  it('creates an account on the page of an invite, which is then used', async () => {
    const invited = (isOn: boolean) =>
      app.get(SettingsService).update([
        { path: 'captcha.enabled', value: false },
        { path: 'instance.registrations_open', value: !isOn },
        { path: 'instance.invites_enabled', value: isOn },
      ]);
    await invited(true);
    const { token } = await app.get(InvitesService).create({ maxUse: null, expiresAt: null });
    const page = await browser.newPage(viewed({ width: PHONE }));
    await page.goto(`${app.env.baseUrl}/registration/${token}`);
    await page.fill('#username', 'dora');
    await page.fill('#password', PASSWORD);
    await page.getByRole('checkbox').check();
    await page.getByRole('button').click();
    await page.goto(`${app.env.baseUrl}/auth/account`);
    expect(page.url()).toBe(`${app.env.baseUrl}/auth/account`);
    expect(await app.get(InvitesService).isValid(token)).toBe(false);
    await invited(false);
    await page.context().close();
  });

  it('goes on to an app that is allowed already, also behind a second factor', async () => {
    const redirect_uri = 'https://app.test/callback';
    const { client_id } = await oauth.register('read', redirect_uri);
    const { id: appId } = (await app.get(AppsService).byClientId(client_id))!;
    const asked = { response_type: 'code', client_id, redirect_uri, scope: 'read' };
    const return_to = `/oauth/authorize?${new URLSearchParams(asked).toString()}`;
    for (const name of ['alice', 'bob']) {
      await app.get(TokensService).issue({ appId, accountId: app.world.id(name), scopes: ['read'] });
      const page = await browser.newPage(viewed({ width: PHONE }));
      await page.goto(`${app.env.baseUrl}/auth/sign_in?${new URLSearchParams({ return_to }).toString()}`);
      const left = page.waitForRequest((request) => request.url().startsWith(redirect_uri));
      await signIn(page, name, PASSWORD);
      if (name === 'bob') {
        await page.fill('#code', codeAt(bobsKey, 1));
        await page.getByRole('button').click();
      }
      expect((await left).url()).toContain('code=');
      await page.context().close();
    }
  });

  it('follows an account of another server, and ends on its page here', async () => {
    const { id } = await app.world.remote('zoe', 'far.test');
    const page = await browser.newPage(viewed({ width: PHONE }));
    await page.goto(`${app.env.baseUrl}/authorize_interaction?uri=zoe@far.test`);
    await signIn(page, 'alice', PASSWORD);
    await page.waitForURL(`${app.env.baseUrl}/app/people/${id}`);
    await page.context().close();
  });

  it('works by keyboard and without scripts, from the page to the end of the session', async () => {
    const page = await browser.newPage({ ...viewed({ width: PHONE }), javaScriptEnabled: false });
    await page.goto(
      authorizeUrl(redirectUri, { code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 's' }),
    );
    await tabTo(page, '#name');
    await page.keyboard.type('alice');
    await tabTo(page, '#password');
    await page.keyboard.type(PASSWORD);
    await tabTo(page, 'button:text("Sign in and allow")');
    const arrived = page.waitForRequest((request) => request.url().startsWith(redirectUri));
    await page.keyboard.press('Enter');
    const { code, state } = Object.fromEntries(new URL((await arrived).url()).searchParams);
    await page.context().close();
    expect(state).toBe('s');

    const grant = { grant_type: 'authorization_code', code: code!, redirect_uri: redirectUri, code_verifier: VERIFIER };
    const { access_token: token } = (await oauth.token(client, grant).expect(200)).body as TokenAnswer;
    expect(await oauth.statusOf(token)).toBe(200);
    await oauth.revoke({ ...client, token }).expect(200);
    expect(await oauth.statusOf(token)).toBe(401);
  });

  it('lets an app that opened the page in a new window read its own address there at the end', async () => {
    const opener = await browser.newPage(viewed({ width: 1280 }));
    const denied = `/callback?error=access_denied&iss=${encodeURIComponent(app.env.baseUrl)}`;
    for (const path of ['/', denied]) site.page(path, '<title>App</title>');
    await opener.goto(site.origin);
    const opened = opener.waitForEvent('popup');
    await opener.evaluate(`globalThis.popup = open(${JSON.stringify(authorizeUrl(redirectUri))}), 0`);
    const popup = await opened;
    await popup.getByRole('button', { name: 'Deny' }).click();
    await popup.waitForURL(site.origin + denied);
    expect(await opener.evaluate<string>('popup.location.search')).toContain('error=access_denied');
    await opener.context().close();
  });

  /** The pages in the order in which one browser shows them. */
  const steps: readonly (readonly [name: string, go: (page: Page) => Promise<unknown>])[] = [
    ['signing in', (page) => page.goto(`${app.env.baseUrl}/auth/sign_in`)],
    ['a wrong password', (page) => signIn(page, 'alice', 'wrong')],
    ['signing up', (page) => page.goto(`${app.env.baseUrl}/auth/sign_up`)],
    ['an error in signing up', (page) => signUp(page)],
    ['a request that is not valid', (page) => page.goto(authorizeUrl('https://elsewhere.test/'))],
    ['consent with a password', (page) => page.goto(authorizeUrl(redirectUri))],
    ['consent with a wrong password', (page) => signIn(page, 'alice', 'wrong')],
    ['a denied request', (page) => deny(page)],
    ['the second step', (page) => page.goto(authorizeUrl(OUT_OF_BAND)).then(() => signIn(page, 'bob', PASSWORD))],
    ['the code', (page) => page.goto(authorizeUrl(OUT_OF_BAND)).then(() => signIn(page, 'alice', PASSWORD))],
    ['consent in a session', (page) => page.goto(authorizeUrl(redirectUri))],
    ...['', '/password', '/email', '/second_factor', '/sessions', '/data', '/move', '/delete'].map(
      (path) => [`account${path}`, (page: Page) => page.goto(`${app.env.baseUrl}/auth/account${path}`)] as const,
    ),
  ];

  async function deny(page: Page): Promise<void> {
    await page.goto(authorizeUrl(OUT_OF_BAND));
    await page.getByRole('button', { name: 'Deny' }).click();
  }

  it('is accessible in both colour schemes, and fits a phone', async () => {
    await app.get(SettingsService).update([
      { path: 'instance.account_approval_required', value: true },
      { path: 'instance.birthday_required', value: true },
    ]);
    const page = await browser.newPage(viewed({ width: PHONE }));
    const found: string[] = [];
    for (const [name, go] of steps) {
      await go(page);
      await page.evaluate(AXE);
      const faults = await seriousFaults(page, {});
      await page.emulateMedia({ colorScheme: 'dark' });
      faults.push(...(await seriousFaults(page, { runOnly: ['color-contrast'] })));
      await page.emulateMedia({ colorScheme: 'light' });
      if ((await widthOf(page)) !== PHONE) faults.push('wider than the screen');
      found.push(...faults.map((fault) => `${name}: ${fault}`));
    }
    expect(found).toEqual([]);
    await page.context().close();
  });
});

/** Serious faults of accessibility on the page. */
async function seriousFaults(page: Page, rules: RunOptions): Promise<string[]> {
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Moves the focus by the Tab key; fails when the focus does not reach the target. */
async function tabTo(page: Page, target: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.locator(target).and(page.locator(':focus')).count()) === 1) return;
  }
  throw new Error(`The Tab key does not reach ${target}`);
}

async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.fill('#name', name);
  await page.fill('#password', password);
  await page.getByRole('button').first().click();
}

/** Sends the form with a name that is taken and a wrong captcha. */
async function signUp(page: Page): Promise<void> {
  await page.fill('#username', 'alice');
  await page.fill('#email', 'alice@mail.test');
  await page.fill('#password', 'x');
  await page.fill('#birthday', '1990-01-01');
  await page.fill('#reason', 'tea');
  if ((await page.locator('#captcha').count()) > 0) await page.fill('#captcha', 'wrong');
  await page.getByRole('checkbox').check();
  await page.getByRole('button').click();
}
