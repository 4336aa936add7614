import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { type ClientKeys, OauthClient } from '../support/oauth.js';
import { PASSWORD } from '../support/world.js';

const LIMIT = 15;

describe('O14 guessing passwords', () => {
  let app: TestApp;
  let client: ClientKeys;
  let last = 0;

  beforeAll(async () => {
    app = await startApp({ RATE_LIMITS: 'auth-only', TRUSTED_PROXIES: '127.0.0.1,::1' });
    await app.world.persons('alice', 'bob', 'carol', 'dave', 'erin');
    client = await new OauthClient(app).register();
  });
  afterAll(() => app.close());

  /** An address that nobody guessed from before. */
  const newAddress = () => `198.51.100.${(last += 1)}`;
  const signIn = (username: string, password: string, address: string) =>
    app.http
      .post('/oauth/token')
      .set('x-forwarded-for', address)
      .send({ ...client, grant_type: 'password', username, password });

  let address: string;
  beforeEach(() => {
    address = newAddress();
  });

  it('ends after some wrong ones for a name, wherever they come from', async () => {
    for (let i = 0; i < LIMIT; i += 1) await signIn('alice', 'wrong', newAddress()).expect(400);
    const { headers } = await signIn('Alice', PASSWORD, newAddress()).expect(429, { error: 'Throttled' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await signIn('bob', PASSWORD, newAddress()).expect(200);
  });

  it('ends after some wrong ones from an address, spread over names', async () => {
    for (let i = 0; i < LIMIT; i += 1) await signIn(`name${i}`, 'wrong', address).expect(400);
    const { headers } = await signIn('carol', PASSWORD, address).expect(429, { error: 'Throttled' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await signIn('carol', PASSWORD, newAddress()).expect(200);
  });

  it('ends as soon for many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 3 * LIMIT }, () => signIn('dave', 'wrong', address)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2 * LIMIT);
  });

  it('is not what signing in often is', async () => {
    for (let i = 0; i <= LIMIT; i += 1) await signIn('erin', PASSWORD, address).expect(200);
  });
});

describe('O14 H15 a forged address', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ RATE_LIMITS: 'auth-only' });
  });
  afterAll(() => app.close());

  it('gives no more guesses', async () => {
    const client = await new OauthClient(app).register();
    const guess = (i: number) =>
      app.http
        .post('/oauth/token')
        .set('x-forwarded-for', `203.0.113.${i}`)
        .send({ ...client, grant_type: 'password', username: `name${i}`, password: 'wrong' });
    for (let i = 0; i < LIMIT; i += 1) await guess(i).expect(400);
    await guess(LIMIT).expect(429);
  });
});
