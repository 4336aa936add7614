import { HostBlocksService } from '../../src/federation/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice'] });
let visit: BrowserVisit;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  visit = await new BrowserVisit(app).signIn('root');
});

const log = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

describe('the server blocks', () => {
  const blocks = '/app/staff/blocks';
  const listed = () => app.get(HostBlocksService).list();

  it('are previewed, added, shown and lifted', async () => {
    const query = { host: 'Loud.example', severity: 'silence', media: 'true', reason: '<b>noise</b>' };
    const preview = await visit.get(`${blocks}/preview`, query);
    expect(wordsOf(preview)).toContain('This server knows no account there.');
    expect(listed()).toEqual([]);
    expect((await visit.submit()).headers['location']).toBe(blocks);
    const block = {
      host: 'loud.example',
      lists: ['federated_timeline_removal', 'media_removal'],
      reason: '<b>noise</b>',
    };
    expect(listed()).toEqual([block]);
    expect((await visit.get(blocks)).text).toContain('&lt;b&gt;noise&lt;/b&gt;');
    await visit.press(`${blocks}/remove`, { host: 'loud.example' });
    expect(listed()).toEqual([]);
    expect(await log()).toEqual([
      '@root blocked or limited servers: loud.example',
      '@root lifted the blocks of servers: loud.example',
    ]);
  });

  it('keep what was typed when the host is wrong', async () => {
    await visit.get(blocks);
    const answer = await visit.post(blocks, { _csrf: visit.field('_csrf')!, host: 'no host', reason: 'my reason' });
    expect([answer.status, answer.text.includes('value="no host"'), answer.text.includes('value="my reason"')]).toEqual(
      [400, true, true],
    );
  });

  it('are imported after a preview that changes nothing', async () => {
    await visit.get(`${blocks}/import`);
    const list = '#domain,#severity\nloud.example,suspend\n*.calm.example,silence\n';
    const preview = await visit.post(`${blocks}/import`, { _csrf: visit.field('_csrf')!, list });
    expect(wordsOf(preview)).toContain('adds or limits further: 2');
    expect(listed()).toEqual([]);
    await visit.submit();
    expect(listed().map(({ host }) => host)).toEqual(['*.calm.example', 'loud.example']);
    expect((await visit.get(`${blocks}/export`)).text).toContain('loud.example,suspend');
    await visit.get(`${blocks}/import`);
    const refused = await visit.post(`${blocks}/import`, { _csrf: visit.field('_csrf')!, list: 'l*d.example' });
    expect([refused.status, refused.text.includes('>l*d.example</textarea>')]).toEqual([400, true]);
  });
});
