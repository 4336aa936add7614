import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { cardJson } from '../../../src/statuses/rendering/preview-card.render.js';
import { PreviewCardShape } from '../../../src/statuses/rendering/preview-card.shape.js';
import { useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';
import { checkShape } from '../../support/shape.js';

const app = useApp();

beforeEach(async () => {
  await app.world.person('alice');
});

const own = async () => ok<object>((await app.world.as('alice')).get('/api/v1/accounts/verify_credentials'));
const seen = () => ok<object>(app.world.anonymous.get(`/api/v1/accounts/${app.world.id('alice')}`));
const change = async (values: object) =>
  (await app.world.as('alice')).patch('/api/v1/accounts/update_credentials', { ...values }).expect(200);

describe('an account', () => {
  it.each([
    ['indexable', false],
    ['hide_collections', true],
    ['avatar_description', 'a cat'],
    ['header_description', 'a sea'],
  ])('shows the current value of %s', async (key, value) => {
    await change({ [key]: value });
    expect(await seen()).toMatchObject({ [key]: value });
    expect(await own()).toMatchObject({ [key]: value });
  });

  it.each([
    ['an administrator', { isAdmin: true }, { id: 'admin', name: 'Admin', highlighted: true }],
    ['a moderator', { isModerator: true }, { id: 'moderator', name: 'Moderator', highlighted: true }],
    ['anyone', {}, { id: '-99', name: '', highlighted: false }],
  ])('shows %s its role', async (_case, role, shown) => {
    await app.get(UsersService).setRole(app.world.id('alice'), role);
    expect(await own()).toMatchObject({ role: { ...shown, permissions: '0', color: '' } });
  });
});

describe('the document of the server', () => {
  const open = { local: 'public', remote: 'public' };

  it.each([
    ['instance.public', false, { local: 'authenticated', remote: 'authenticated' }],
    [
      'restrict_unauthenticated.timelines',
      { local: true, federated: false },
      { local: 'authenticated', remote: 'public' },
    ],
    [
      'restrict_unauthenticated.timelines',
      { local: false, federated: true },
      { local: 'public', remote: 'authenticated' },
    ],
    ['instance.name', 'Tea', open],
  ])('states, with %s: %j, who may read timelines', async (path, value, feeds) => {
    await app.world.anonymous.get('/api/v2/instance').expect(200); // what is kept must not stay
    await app.get(SettingsService).update([{ path, value }]);
    const { configuration } = await ok<{ configuration: object }>(app.world.anonymous.get('/api/v2/instance'));
    expect(configuration).toMatchObject({
      timelines_access: { live_feeds: feeds, hashtag_feeds: feeds, trending_link_feeds: feeds },
    });
  });

  it.each([
    ['max_display_name_length', 'instance.user_name_length'],
    ['max_note_length', 'instance.user_bio_length'],
    ['max_profile_fields', 'instance.max_account_fields'],
    ['profile_field_name_limit', 'instance.account_field_name_length'],
    ['profile_field_value_limit', 'instance.account_field_value_length'],
  ])('takes %s from the setting %s', async (key, path) => {
    await app.get(SettingsService).update([{ path, value: 7 }]);
    for (const version of ['v1', 'v2']) {
      const { configuration } = await ok<{ configuration: object }>(
        app.world.anonymous.get(`/api/${version}/instance`),
      );
      expect(configuration).toMatchObject({ accounts: { [key]: 7 } });
    }
  });
});

it.each([
  ['Ann', 'https://ann.test/', 'en_GB', [{ name: 'Ann', url: 'https://ann.test/', account: null }], 'en-GB'],
  ['Ann', '', 'no language', [{ name: 'Ann', url: '', account: null }], null],
  ['', '', undefined, [], null],
])('a link preview by %j (%j, %j) has authors and a language', (name, authorUrl, locale, authors, language) => {
  const texts = { title: 'A page', description: '', author_name: name, author_url: authorUrl, provider_name: 'p' };
  const sides = { width: 0, height: 0, image: null, image_description: '' };
  const preview = { ...texts, ...sides, opengraph: locale === undefined ? {} : { 'og:locale': locale } };
  const card = cardJson({ url: 'https://page.test/', preview }, 'svc', (url) => url);
  expect(checkShape(PreviewCardShape, card)).toEqual([]);
  expect(card).toMatchObject({ authors, language, published_at: null, history: [] });
});
