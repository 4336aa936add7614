import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { post } from '../support/fixtures/statuses.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob'] });
const PASSWORD_PAGE = '/auth/account/password';
const TOO_LONG = { text: 'x'.repeat(5_001) };
const ONE_OPTION = { text: 'Tea?', 'poll[options][]': 'yes', 'poll[expires_in]': '600' };
const WRONG_PASSWORD = { password: 'wrong', new_password: 'a new password' };
const SHORT_PASSWORD = { password: PASSWORD, new_password: 'x' };

async function signedIn(language: string) {
  return new BrowserVisit(app, language).signIn('alice');
}

/** Sends the form of a page, and returns the alarm of the answer. */
async function alarmOf(language: string, path: string, fields: Readonly<Record<string, string>>) {
  const visit = await signedIn(language);
  await visit.get(path);
  return alarmIn((await visit.submit(fields)).text);
}

const alarmIn = (text: string) => /class="alarm"[^>]*>([^<]*)</.exec(text)?.[1]?.trim();

describe('a refused form', () => {
  it.each([
    ['de', 'Das hat nicht geklappt: Der Text ist zu lang.', '/app/compose', TOO_LONG],
    ['fr', 'Cela n’a pas fonctionné : Le texte est trop long.', '/app/compose', TOO_LONG],
    ['en', 'That did not work: The status is over the character limit', '/app/compose', TOO_LONG],
    ['de', 'Das hat nicht geklappt: Eine Umfrage braucht mindestens zwei Antworten.', '/app/compose', ONE_OPTION],
    ['de', 'Das Passwort stimmt nicht.', PASSWORD_PAGE, WRONG_PASSWORD],
    ['fr', 'Le mot de passe est incorrect.', PASSWORD_PAGE, WRONG_PASSWORD],
    ['de', 'Das hat nicht geklappt: Das neue Passwort muss mindestens 8 Zeichen haben.', PASSWORD_PAGE, SHORT_PASSWORD],
    ['de', 'Das hat nicht geklappt: Der Titel fehlt.', '/app/lists', { title: ' ' }],
  ])('answers in %s: %s', async (language, alarm, path, fields) => {
    expect((await alarmOf(language, path, fields))?.replaceAll('\u00a0', ' ')).toBe(alarm);
  });

  it('explains in German why an account cannot be followed', async () => {
    const visit = await signedIn('de');
    await visit.get('/app/home');
    const fields = visit.fields;
    const follow = async (id: string) => (await visit.post(`/app/people/${id}/follow`, fields)).text;
    expect(alarmIn(await follow('9nothing'))).toBe('Das hat nicht geklappt: Dieses Konto gibt es nicht.');
    expect(alarmIn(await follow(app.world.id('alice')))).toBe(
      'Das hat nicht geklappt: Dir selbst kannst du nicht folgen.',
    );
  });

  it('names the field that is too long in German', async () => {
    const visit = await signedIn('de');
    await visit.get('/app/lists');
    const { status, text } = await visit.submit({ title: 'x'.repeat(5_000) });
    expect(status).toBe(422);
    expect(text).toMatch(/Titel: darf höchstens [\d.]+ Zeichen haben/);
  });
});

it('the API answers in English for any Accept-Language', async () => {
  const alice = await app.world.as('alice');
  const german = alice.post('/api/v1/statuses', { status: TOO_LONG.text }).set('Accept-Language', 'de');
  expect((await german).body).toEqual({ error: 'The status is over the character limit' });
  const { id } = await post(app, 'bob', 'mine');
  const pinned = await alice.post(`/api/v1/statuses/${id}/pin`).set('Accept-Language', 'de');
  expect(pinned.body).toEqual({ error: "Someone else's status cannot be pinned" });
});
