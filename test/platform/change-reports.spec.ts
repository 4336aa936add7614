import { declaredStatements } from '../../src/platform/index.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ once: [] });

/** Statements whose results are cached. */
const CACHED = [
  'accounts.by_handle',
  'accounts.by_ids',
  'accounts.counts',
  'accounts.counts_of_active',
  'accounts.own',
  'conversations.unread',
  'federation.actor',
  'federation.note',
  'notifications.page.newer',
  'notifications.page.older',
  'notifications.unread_with_chats',
  'oauth.app',
  'relationships.facts',
  'statuses.bodies',
  'statuses.hidden_authors',
  'statuses.page_by_ids',
  'statuses.quoted',
  'statuses.thread',
  'statuses.viewer',
  'timelines.account.newer',
  'timelines.account.older',
  'timelines.home.feed.newer',
  'timelines.home.feed.older',
  'timelines.public.newer',
  'timelines.public.older',
  'timelines.public_local.newer',
  'timelines.public_local.older',
  'users.posting_defaults',
];
/** Tables that they read and that report nothing, with the reason. */
const SILENT: Readonly<Record<string, string>> = {
  mentions: 'written with the post, whose version rises',
  hashtags: 'names never change',
  status_hashtags: 'written with the post, whose version rises',
  status_cards: 'raise the version of the post',
  status_edits: 'written with an edit of the post, whose version rises',
  cards: 'raise the versions of their posts',
  chats: 'change with their entries',
  conversations: 'never change',
  remote_instances: 'void everything when they are reloaded',
  media: 'files never change',
  tombstones: 'written with a deletion, which raises the versions of the quotes of the post',
};

describe('a table behind a cached value', () => {
  it('reports its changes', async () => {
    const reporting = await app.sql<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal and tgfoid::regproc::text like '%_reports'`,
    );
    const known = new Set([...reporting.map(({ name }) => name), ...Object.keys(SILENT)]);
    const silent: string[] = [];
    for (const name of CACHED) {
      const text = declaredStatements().get(name);
      if (text === undefined) throw new Error(`There is no statement ${name}`);
      const [plan] = await app.sql<{ 'QUERY PLAN': unknown }>(`explain (generic_plan, format json) ${text}`);
      const tables = JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g);
      for (const [, table] of tables) if (!known.has(table!)) silent.push(`${name}: ${table}`);
    }
    expect([...new Set(silent)]).toEqual([]);
  });
});
