import { Worker } from '../../../src/platform/index.js';
import type { ResultsJson } from '../../../src/search/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });

async function found(q: string, query = {}, client: Client = app.world.anonymous): Promise<string[]> {
  const { statuses } = await ok<ResultsJson>(client.get('/api/v2/search', { q, ...query }));
  return statuses.map((status) => status.id);
}

describe('a search in polls', () => {
  const TEA = { options: ['Oolong', 'Assam', '烏龍茶'], expires_in: 3_600 };

  it('finds posts by words of the poll options and of the text, until these are edited', async () => {
    const bob = await app.world.as('bob');
    const { id: made } = await post(app, 'bob', 'which tea?', { poll: TEA });
    const { id: plain } = await post(app, 'bob', 'assam!');
    expect(await found('assam')).toEqual([plain, made]);
    for (const q of ['oolong tea', '龍茶']) expect(await found(q)).toEqual([made]);
    expect(await found('oolong from:bob')).toEqual([made]);
    for (const q of ['tea -oolong', 'has:poll -oolong', 'oolong darjeeling']) expect(await found(q)).toEqual([]);

    const edit = (options: Record<string, unknown>) => bob.put(`/api/v1/statuses/${made}`, options).expect(200);
    await edit({ status: 'which cup?', poll: TEA });
    expect(await found('cup oolong')).toEqual([made]);
    expect(await found('tea')).toEqual([]);
    await edit({ poll: { ...TEA, options: ['Assam', 'none'] } });
    expect(await found('oolong')).toEqual([]);
    expect(await found('cup none')).toEqual([made]);
    await edit({ poll: null });
    expect(await found('none')).toEqual([]);
    expect(await found('cup')).toEqual([made]);
  });

  it('finds older polls after upkeep has indexed them', async () => {
    const { id: made } = await post(app, 'bob', 'which tea?', { poll: TEA });
    await app.sql(`update polls set counted = false`);
    await app.sql(`update statuses set tsv = to_tsvector('svc', 'which tea?')`);
    expect(await found('tea')).toEqual([made]);
    expect(await found('oolong')).toEqual([]);
    const many = await makeStatuses(app, 'carol', 1_000, { text: 'cup' });
    await app.sql('update statuses set flags = 2 where id = any($1::text[])', [many]);
    await app.sql(
      `with made as (insert into polls (status_id) select unnest($1::text[]) returning id)
       insert into poll_options (poll_id, position, title) select id, 0, 'Oolong' from made`,
      [many],
    );
    await app.get(Worker).enqueueRecurring();
    await app.drain();
    expect(await app.sql('select from polls where not counted')).toEqual([]);
    expect(await found('oolong tea')).toEqual([made]);
    expect(await found('oolong cup', { limit: 2 })).toEqual(many.toReversed().slice(0, 2));
  });

  it('V4 finds only polls that the viewer may see', async () => {
    const { id: made } = await post(app, 'bob', 'which?', { poll: TEA, visibility: 'private' });
    expect(await found('oolong', {}, await app.world.as('alice'))).toEqual([]);
    expect(await found('oolong', {}, await app.world.as('bob'))).toEqual([made]);
  });
});
