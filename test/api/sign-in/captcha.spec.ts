import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsService } from '../../../src/config/index.js';
import { CaptchaShape } from '../../../src/sign-in/index.js';
import { Images, SECRET_KEY, Worker } from '../../../src/platform/index.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { answerTo as answer, type Captcha, solutionOf as readCaptcha } from '../../support/servers/captcha.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/svc/captcha';

const app = useApp();
let phone: Client;
let newcomers = 0;

beforeEach(async () => {
  phone = await app.world.asApp('write');
});

const issue = async () => (await app.http.get(PATH).expect(200)).body as Captcha;

const solutionOf = (captcha: Captcha) => readCaptcha(captcha, app.nest.get<Buffer>(SECRET_KEY, { strict: false }));
const answerTo = (captcha: Captcha, solution = solutionOf(captcha)) => answer(captcha, solution);

/** Signs up a user with a form that is valid except for the captcha. */
function signUp(fields: object, as = phone) {
  newcomers += 1;
  return as.post('/api/v1/accounts', {
    username: `n${newcomers}`,
    password: 'long enough',
    agreement: true,
    ...fields,
  });
}

/** Expects that the sign-up is refused; returns the error messages. */
async function refused(fields: object): Promise<unknown> {
  const { body } = (await signUp(fields).expect(400)) as { body: { error: string } };
  expect(await app.sql('select from accounts')).toEqual([]);
  return JSON.parse(body.error);
}

describe('a captcha', () => {
  it.each([PATH, '/api/svc/captcha'])('is a picture at %s', async (path) => {
    const answer = await app.http.get(path).expect(200);
    expect(checkShape(CaptchaShape, answer.body)).toEqual([]);
    expect(answer.body).toMatchObject({ type: 'native', seconds_valid: 300 });
    expect(answer.headers['cache-control']).toBe('private, no-store');
  });

  it('can be read by image programs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-captcha-'));
    const path = join(folder, 'captcha.png');
    await writeFile(path, Buffer.from((await issue()).url.split(',')[1]!, 'base64'));
    const picture = await app.get(Images).read(path, 'image/png');
    expect(picture).toMatchObject({ width: 288, height: 80 });
    await rm(folder, { recursive: true });
  });

  it('differs each time, does not reveal its solution, and is not stored', async () => {
    const { result, statements } = await countQueries(async () => Promise.all([issue(), issue(), issue()]));
    expect(statements).toEqual([]);
    expect(new Set(result.map(({ url }) => url)).size).toBe(3);
    expect(new Set(result.map(solutionOf)).size).toBe(3);
    for (const captcha of result) {
      const solution = solutionOf(captcha);
      expect(solution).toMatch(/^[A-Z0-9]{6}$/);
      expect(Buffer.from(captcha.answer_data, 'base64url').toString('latin1')).not.toContain(solution);
    }
  });

  it('accepts the solution in any case, with blanks around it', async () => {
    await signUp(answerTo(await issue())).expect(200);
    const captcha = await issue();
    await signUp(answerTo(captcha, ` ${solutionOf(captcha).toLowerCase()} `)).expect(200);
  });

  it('requires all its fields', async () => {
    const solved = answerTo(await issue());
    const blank = { captcha: ["can't be blank"] };
    for (const missing of [{}, { ...solved, captcha_token: '' }, { ...solved, captcha_solution: undefined }]) {
      expect(await refused(missing)).toEqual(blank);
    }
    await signUp(solved).expect(200); // no earlier request counted as an attempt
  });

  it('counts once, right or wrong, even when it is tried many times at once', async () => {
    const captcha = await issue();
    const answers = await Promise.all(Array.from({ length: 6 }, () => signUp(answerTo(captcha))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await app.sql('select from accounts')).toHaveLength(1);
    await app.sql('delete from accounts');
    const other = await issue();
    expect(await refused(answerTo(other, 'WRONG'))).toEqual({ captcha: ['is invalid'] });
    expect(await refused(answerTo(other))).toEqual({ captcha: ['was used already'] });
  });

  it('is bound to its token and to this server', async () => {
    const [one, other] = [await issue(), await issue()];
    const swapped = { ...answerTo(one), captcha_token: other.token };
    const invented = { captcha_token: 'x', captcha_answer_data: 'eyJhIjoxfQ', captcha_solution: 'ABC' };
    for (const fields of [swapped, invented]) expect(await refused(fields)).toEqual({ captcha: ['is invalid'] });
    await signUp(answerTo(one)).expect(200);
  });

  it('expires', async () => {
    await app.get(SettingsService).update([{ path: 'captcha.seconds_valid', value: 30 }]);
    const captcha = await issue();
    const { now } = Date;
    Date.now = () => now() + 30_000;
    try {
      expect(await refused(answerTo(captcha))).toEqual({ captcha: ['has expired'] });
    } finally {
      Date.now = now;
    }
  });

  it('stays valid after a form with other errors', async () => {
    const solved = answerTo(await issue());
    const wrong = { username: 'a b', email: 'a@b@c', password: 'short', fullname: 'x'.repeat(101), agreement: false };
    expect(Object.keys((await refused({ ...solved, ...wrong })) as object).sort()).toEqual(Object.keys(wrong).sort());
    expect(await refused({ ...solved, username: 'admin' })).toEqual({ username: ['is reserved'] });
    await signUp(solved).expect(200);
  });

  it('O12 is used up by a name that is taken', async () => {
    await app.world.person('alice');
    const solved = answerTo(await issue());
    const answers = [await signUp({ ...solved, username: 'alice' }), await signUp(solved)];
    expect(
      answers.map(({ status, body }) => [status, JSON.parse((body as { error: string }).error) as unknown]),
    ).toEqual([
      [400, { username: ['has already been taken'] }],
      [400, { captcha: ['was used already'] }],
    ]);
  });

  it('is not required of trusted apps, or when it is disabled', async () => {
    await app.sql('update oauth_apps set trusted = true');
    await signUp({}).expect(200);
    await app.sql('update oauth_apps set trusted = false');
    await signUp({}).expect(400);
    await app.get(SettingsService).update([{ path: 'captcha.enabled', value: false }]);
    expect(await issue()).toEqual({ type: 'none' });
    await signUp({}).expect(200);
  });

  it('is removed some time after it expires', async () => {
    await app.sql(
      `insert into used_captchas values ('\\x01', now() - interval '61 minutes'), ('\\x02', now() - interval '50 minutes')`,
    );
    await app.get(Worker).enqueueRecurring();
    await app.drain();
    const kept = await app.sql(`select encode(token_hash, 'hex') as hash from used_captchas`);
    expect(kept).toEqual([{ hash: '02' }]); // kept, because clocks may differ
  });

  it('is limited for each address', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' });
    try {
      for (let at = 0; at < 30; at += 1) await limited.http.get(PATH).expect(200);
      await limited.http.get(PATH).expect(429);
    } finally {
      await limited.close();
    }
  });
});
