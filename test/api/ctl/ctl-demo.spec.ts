import { runCtl } from '../../support/servers/ctl.js';
import { ok } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: [] });

const fill = () => runCtl(app.variables, 'demo', 'fill');

interface Shown {
  readonly reblog: object | null;
  readonly spoiler_text: string;
  readonly language: string | null;
  readonly poll: { readonly votes_count: number } | null;
  readonly media_attachments: readonly { readonly description: string | null }[];
}

it('demo data fill an empty server, and are refused on a server with users', async () => {
  await app.world.person('admin', { admin: true });
  expect(await fill()).toEqual({
    code: 0,
    err: '',
    out: '7 people and 15 posts were made. Nobody can sign in as one of them.',
  });
  await app.drain();
  const admin = await app.world.as('admin');
  const home = await ok<Shown[]>(admin.get('/api/v1/timelines/home?limit=40'));
  expect(home.some(({ poll }) => poll?.votes_count === 5)).toBe(true);
  expect(Math.max(...home.map((post) => post.media_attachments.length))).toBe(4);
  expect(home.flatMap((post) => post.media_attachments).every(({ description }) => description)).toBe(true);
  expect(new Set(home.map(({ language }) => language))).toEqual(new Set(['en', 'de', 'fr', 'ar']));
  expect(await ok(admin.get('/api/v1/svc/chats'))).toHaveLength(2);
  expect(await fill()).toEqual({ code: 1, out: '', err: 'There are people here already: this is for a fresh server.' });
});
