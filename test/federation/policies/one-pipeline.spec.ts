import { readFileSync } from 'node:fs';
import { methodsCalling, type MethodName, readCallGraph } from '../../support/call-graph.js';
import { sourcesOf } from '../../support/faults.js';
import { useApp } from '../../support/servers/app.js';

/*
 * Whatever stores words that others read asks the policies. The ways are found in the code: the statements that write a
 * table with words, the methods that call them, and so on up to the first that also leads to a policy. One without is a
 * way around the policies.
 */

interface Column {
  readonly table_name: string;
  readonly column_name: string;
  readonly data_type: 'text' | 'jsonb';
}

/** Columns of words that people write for others. All of JSON are taken for such columns too. */
const WORDS = /^(?:content_html|content|comment|description|display_name|note_html|spoiler|text|title|name)$/;

/** The tables with such columns that the policies are about, and the questions that they may ask. */
const POST = ['StatusPolicies.filter', 'PoliciesService.post'];
const TEXT = ['TextPolicies.requireAccepted'];
const ACTIVITY = ['PoliciesService.refusal'];
interface Judged {
  /** The columns of words. */
  readonly words: string;
  readonly gates: readonly MethodName[];
}
const JUDGED: Readonly<Record<string, Judged>> = {
  statuses: { words: 'content_html|spoiler', gates: POST },
  poll_options: { words: 'title', gates: POST },
  scheduled_statuses: { words: 'options', gates: POST },
  chat_messages: { words: 'content', gates: POST },
  shouts: { words: 'text', gates: TEXT },
  attachments: { words: 'description', gates: [...POST, ...TEXT] },
  accounts: { words: 'display_name|note_html|fields', gates: [...TEXT, 'PoliciesService.profile'] },
  reactions: { words: 'name', gates: ACTIVITY },
  reports: { words: 'comment', gates: ACTIVITY },
};

/** The other tables with such columns: why the policies do not ask about them. */
const OTHERS: Readonly<Record<string, string>> = {
  ...each('the staff writes them', 'announcements', 'config_items', 'instance_texts', 'report_notes', 'rules'),
  ...each('only their owners read them', 'account_notes', 'bookmark_folders', 'filters', 'lists', 'users'),
  ...each('the server writes them', 'mfa_challenges', 'moderation_log'),
  ...each('names of what is there already', 'announcement_reactions', 'hashtags', 'oauth_apps', 'server_keys', 'jobs'),
  ...each('they are copies of what passed', 'report_statuses', 'status_edits'),
  cards: 'the words of a preview are those of a page that a post links to',
  scrobbles: 'programs name what somebody listens to; nothing of it is sent',
  inbox_queue: 'activities wait there for their effect',
};

/** What writes such a table without asking, by the method at which the way begins. */
const EXCEPTIONS: Readonly<Record<MethodName, string>> = {
  'LinkVerificationService.verify':
    'a field of a profile gets the time at which its link was verified: no words are new',
  'QuoteRevocationController.revoke': 'a quoted author ends a quote: no words are new',
  ...each(
    'the time of a scheduled post changes; its words passed, and pass again when it is posted',
    'ScheduledController.move',
    'ScheduledPagesController.move',
  ),
  'ConversationsService.move': 'scheduled posts follow their conversation into another one: no words are new',
  ...each('files that are stored already are cleaned', 'MediaCleaningService.clean'),
  ...each(
    'pictures without a description',
    'MascotsController.change',
    'OwnProfileController.removeAvatar',
    'OwnProfileController.removeHeader',
    'PicturesController.avatar',
    'PicturesController.banner',
    'PicturesController.background',
  ),
  ...each(
    'a deletion takes the words away',
    'UserAccountsController.delete',
    'OwnAccountController.delete',
    'SecurityPagesController.delete',
    'InstanceDeletionService.continue',
    'StatusesService.expire',
    'StatusErasureService.erase',
    'ForgottenStatusesService.forget',
    'StatusesController.delete',
    'ChangePagesController.delete',
    'InteractionsController.unreblog',
    'AdminStatusesController.remove',
    'StaffStatusPagesController.remove',
  ),
  'UserAccountsController.create': 'the staff makes accounts, without a profile',
  'ReactionsController.add': 'people here react with emoji of this server, which its staff chose',
  ...each(
    'a report repeats what it complains about, and is for the staff',
    'ReportsController.file',
    'NewReportController.file',
  ),
  'ReportsService.fileReceived': 'the inbox asked before it told of the report',
  ...each(
    'the staff handles reports',
    'HandledReportsController.changeStates',
    'HandledReportsController.assign',
    'ReportPagesController.changeState',
    'ReportPagesController.assign',
  ),
};

/** A method that the worker calls, whoever else does. */
const HANDLER = /^\s*@(?:Handles|Subscribes(?:ToAll)?|Recurs)\(/m;

const GRAPH = readCallGraph();
const ENTITIES = new Map(
  sourcesOf('.')
    .filter((path) => /^src\/.*\.entit(?:y|ies)\.ts$/.test(path))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/@Entity\('(\w+)'[^)]*\)\s*export class (\w+)/g)])
    .map(([, table, name]) => [name!, table!] as const),
);
/** The statements that other files use. */
const EXPORTED = new Map(
  sourcesOf('.')
    .filter((path) => path.endsWith('.sql.ts'))
    .flatMap((path) => [...statementsIn(readFileSync(path, 'utf8'))]),
);
// The runner asks about an activity before one of its handlers gets it.
const HANDLED = GRAPH.implementing('InboxHandler').map((name) => `${name}.prepare`);

const app = useApp({ once: [] });

it('every table with texts of users is checked by policies, or has a reason why not', async () => {
  const rows = await app.sql<Column>(
    `select table_name, column_name, data_type from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb')`,
  );
  const hasWords = (row: Column) => row.data_type === 'jsonb' || WORDS.test(row.column_name);
  const found = new Set(rows.filter(hasWords).map(({ table_name: name }) => name));
  const known = [...Object.keys(JUDGED), ...Object.keys(OTHERS)];
  expect([...found].filter((table) => !known.includes(table))).toEqual([]);
});

describe('code that stores', () => {
  it.each(Object.keys(JUDGED))('%s asks the policies', (table) => {
    expect(waysInto(table).filter((method) => !(method in EXCEPTIONS))).toEqual([]);
  });

  it.each(Object.keys(JUDGED))('%s is found when it asks no policies', (table) => {
    expect(waysInto(table, [])).not.toEqual([]);
  });

  it('texts has no unneeded exceptions', () => {
    const met = Object.keys(JUDGED).flatMap((table) => waysInto(table));
    expect(Object.keys(EXCEPTIONS).filter((method) => !met.includes(method))).toEqual([]);
  });
});

/** The methods at which ways begin that store words in a table and lead to no policy. */
function waysInto(table: string, gates = JUDGED[table]!.gates): MethodName[] {
  const asking = methodsCalling(GRAPH, gates);
  if (gates === ACTIVITY) for (const method of HANDLED) asking.add(method);
  const seen = new Set([...GRAPH.bodies.keys()].filter((method) => writes(method, table, JUDGED[table]!.words)));
  const ways: MethodName[] = [];
  for (const method of seen) {
    if (asking.has(method)) continue;
    const callers = [...(GRAPH.callers.get(method) ?? [])];
    if (callers.length === 0 || HANDLER.test(GRAPH.bodies.get(method) ?? '')) ways.push(method);
    for (const caller of callers) seen.add(caller);
  }
  return ways;
}

it('only the runner, which asks the policies first, gives activities to handlers', () => {
  const asking = methodsCalling(GRAPH, ACTIVITY);
  const giving = [...GRAPH.bodies].filter(([, body]) => /\bhandler\.prepare\(/.test(body)).map(([method]) => method);
  expect(giving).toEqual(['ActivityRunner.dispatch']);
  expect([...(GRAPH.callers.get('ActivityRunner.dispatch') ?? [])].filter((method) => !asking.has(method))).toEqual([]);
});

function each(reason: string, ...tables: readonly string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table, reason]));
}

/** The statements of a source by the names of their constants. */
function statementsIn(source: string): ReadonlyMap<string, string> {
  const found = source.matchAll(/^(?:export )?const (\w+)(?:: [^=]+)? = sql(?:<[^(]*>)?\(([^]*?)^\);/gm);
  return new Map([...found].map(([, name, text]) => [name!, text!]));
}

/** Whether a method of a repository writes words into a table. */
function writes(method: MethodName, table: string, words: string): boolean {
  const [body, source] = [GRAPH.bodies.get(method) ?? '', GRAPH.sourceOf(method)];
  const entities = [...body.matchAll(/\.(?:insert|update|upsert|save|into)\(\s*(\w+)/g)];
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(body);
  const own = [...statementsIn(source)].filter(([name]) => isUsed(name));
  const others = [...EXPORTED].filter(
    ([name]) => isUsed(name) && new RegExp(`^import [^;]*\\b${name}\\b`, 'm').test(source),
  );
  const write = new RegExp(`(?:insert into|update) ${table}\\b[^]*\\b(?:${words})\\b`);
  return (
    entities.some(([, name]) => ENTITIES.get(name!) === table) ||
    [...own, ...others].some(([, text]) => write.test(text))
  );
}
