import { PlainStatusShape, type PlainStatusJson } from '../../../src/statuses/index.js';
import { checkShape } from '../../support/shape.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post } from '../../support/fixtures/statuses.js';

const PATH = '/api/v1/statuses';
const EVERYBODY = ['public'];
const NOBODY: string[] = [];
type Answers = Record<'alice' | 'bob' | 'carol' | 'dave' | 'nobody', string>;

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'] });

beforeEach(async () => {
  await app.world.follow('bob', 'alice');
});

const clientOf = async (viewer: string) => (viewer === 'nobody' ? app.world.anonymous : app.world.as(viewer));
/** What each viewer reads of who may quote a post. */
async function answersOf(id: string): Promise<{ automatic: unknown; answers: Answers }> {
  const shown: [string, PlainStatusJson][] = [];
  for (const viewer of ['alice', 'bob', 'carol', 'dave', 'nobody']) {
    const answer = await (await clientOf(viewer)).get(`${PATH}/${id}`);
    if (answer.status !== 200) continue;
    expect(checkShape(PlainStatusShape, answer.body)).toEqual([]);
    shown.push([viewer, answer.body as PlainStatusJson]);
  }
  for (const [, { quote_approval: approval }] of shown) expect(approval.manual).toEqual([]);
  return {
    automatic: shown[0]?.[1].quote_approval.automatic,
    answers: Object.fromEntries(
      shown.map(([viewer, { quote_approval: approval }]) => [viewer, approval.current_user]),
    ) as Answers,
  };
}

/** Bob follows alice, carol and dave do not. */
describe('the quote approval of a post', () => {
  const automatic = { alice: 'automatic', bob: 'automatic', carol: 'automatic', dave: 'automatic', nobody: 'denied' };
  const denied = { alice: 'automatic', bob: 'denied', carol: 'denied', dave: 'denied', nobody: 'denied' };

  it.each<[string, string | undefined, unknown, Partial<Answers>]>([
    ['public', undefined, EVERYBODY, automatic],
    ['public', 'public', EVERYBODY, automatic],
    ['unlisted', 'followers', ['followers'], { ...denied, bob: 'automatic' }],
    ['public', 'nobody', NOBODY, denied],
    ['private', 'public', NOBODY, { alice: 'automatic', bob: 'denied' }],
    ['direct', 'public', NOBODY, { alice: 'denied', bob: 'denied' }],
  ])('follows its visibility %s and the choice %s', async (visibility, choice, approval, answers) => {
    const values = choice === undefined ? {} : { quote_approval_policy: choice };
    const { id } = await post(app, 'alice', '@bob tea', { visibility, ...values });
    expect(await answersOf(id)).toEqual({ automatic: approval, answers });
  });

  it('follows a follow, a block and another choice at once', async () => {
    const { id } = await post(app, 'alice', 'tea', { quote_approval_policy: 'followers' });
    const current = async () => (await answersOf(id)).answers;
    expect(await current()).toEqual({ ...denied, bob: 'automatic' });
    await app.world.follow('carol', 'alice');
    expect(await current()).toEqual({ ...denied, bob: 'automatic', carol: 'automatic' });
    const alice = await app.world.as('alice');
    await alice.put(`${PATH}/${id}/interaction_policy`, { quote_approval_policy: 'public' }).expect(200);
    expect(await current()).toEqual(automatic);
    await alice.post(`/api/v1/accounts/${app.world.id('dave')}/block`).expect(200);
    expect(await current()).toMatchObject({ ...automatic, dave: 'denied' });
    await alice.post(`/api/v1/accounts/${app.world.id('dave')}/unblock`).expect(200);
    expect(await current()).toEqual(automatic);
  });

  it.each<[string | undefined, unknown]>([
    [undefined, ['followers']],
    ['public', EVERYBODY],
  ])('uses the default of its author when the post says %s', async (choice, approval) => {
    const alice = await app.world.as('alice');
    await alice.patch('/api/v1/accounts/update_credentials', { source: { quote_policy: 'followers' } }).expect(200);
    const { id } = await post(app, 'alice', 'tea', { quote_approval_policy: choice });
    expect((await answersOf(id)).automatic).toEqual(approval);
  });

  it('promises nothing for a remote post without a known choice', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await app.sql('update statuses set local = false, quote_policy = null, version = version + 1 where id = $1', [id]);
    expect(await answersOf(id)).toEqual({
      automatic: ['unsupported_policy'],
      answers: { alice: 'automatic', bob: 'unknown', carol: 'unknown', dave: 'unknown', nobody: 'denied' },
    });
  });
});

it('reactions are also at the top level of a post, for apps that read them there', async () => {
  const { id } = await post(app, 'alice', 'tea');
  const bob = await app.world.as('bob');
  await bob.put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`).expect(200);
  const shown = await ok(bob.get(`${PATH}/${id}`));
  expect(shown.emoji_reactions).toMatchObject([{ name: '🍵', count: 1, me: true }]);
  expect(shown.emoji_reactions).toEqual(shown.svc.emoji_reactions);
});
