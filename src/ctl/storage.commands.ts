import {
  RETENTION_KINDS,
  type RetentionKindName,
  RetentionService,
  type RetentionTotal,
  StorageService,
} from '../retention/index.js';
import { command, type Services, type Tools, UsageError } from './frame/command.js';
import { json, JSON_OPTION } from './frame/output.js';
import { sized, storageLines, totalLines } from './frame/storage-figures.js';

const NUMBER = /^[1-9]\d{0,4}$/;

const report = command({
  words: 'storage report',
  summary: 'Shows how large tables and folders are, and what would go at the ages of the settings.',
  options: { json: JSON_OPTION },
  example: 'storage report',
  run: async (tools, _args, { json: asJson }) => {
    const services = await tools.services();
    const sizes = await services.get(StorageService).report();
    const old = await dryRuns(tools, RETENTION_KINDS, asJson);
    if (asJson) tools.print(json({ ...sizes, old }));
    else tools.print(...storageLines(sizes), 'old', ...totalLines(old).map((line) => `  ${line}`));
  },
});

const prune = command({
  words: 'storage prune',
  summary: 'Removes now, in slices, what a night would remove: files, posts, accounts, notifications, previews.',
  options: {
    kind: { type: 'string', help: `Only one kind: ${RETENTION_KINDS.join(', ')}.` },
    'older-than': { type: 'string', help: 'The age in days, in the place of the setting. Needs --kind.' },
    'dry-run': { type: 'boolean', help: 'Only shows what would go.' },
    json: JSON_OPTION,
  },
  example: 'storage prune --kind posts --older-than 90 --dry-run',
  run: async (tools, _args, { kind, 'older-than': age, 'dry-run': isDry = false, json: asJson = false }) => {
    const kinds = kindsOf(kind);
    if (age !== undefined && (kind === undefined || !NUMBER.test(age)))
      throw new UsageError('--older-than is a number of days above 0, and needs --kind.');
    const services = await tools.services();
    const days = age === undefined ? undefined : Number(age);
    const totals = isDry ? await dryRuns(tools, kinds, asJson, days) : await removals(services, kinds);
    tools.print(...(asJson ? [json(totals)] : totalLines(totals)));

    async function removals(from: Services, names: readonly RetentionKindName[]) {
      const retention = from.get(RetentionService);
      const done = [];
      for (const name of names) {
        const progress = slowly(({ rows, bytes }: { rows: number; bytes: number }) =>
          tools.print(`${name}: ${rows}, about ${sized(bytes)} so far`),
        );
        const options = { signal: tools.signal, ...(asJson ? {} : { progress }) };
        done.push(await retention.removeNow(name, days ?? retention.daysOf(name), options));
      }
      return done;
    }
  },
});

function kindsOf(kind: string | undefined): readonly RetentionKindName[] {
  if (kind === undefined) return RETENTION_KINDS;
  const found = RETENTION_KINDS.find((name) => name === kind);
  if (!found) throw new UsageError(`There is no kind ${kind}: it is one of ${RETENTION_KINDS.join(', ')}.`);
  return [found];
}

/** What would go: of each kind at the given age, or at that of its setting. */
async function dryRuns(tools: Tools, kinds: readonly RetentionKindName[], isQuiet = false, days?: number) {
  const retention = (await tools.services()).get(RetentionService);
  const { signal } = tools;
  const totals = [];
  for (const name of kinds) {
    const progress = slowly(({ rows }) => tools.warn(`...    ${name}: ${rows} would go so far`));
    const walk = { signal, ...(isQuiet ? {} : { progress }) };
    totals.push(await retention.dryRun(name, days ?? retention.daysOf(name), walk));
    signal.throwIfAborted(); // the numbers are not whole
  }
  return totals;
}

const SLICES_BETWEEN = 100;

type Progress = (total: Pick<RetentionTotal, 'rows' | 'bytes'>) => void;

/** Calls only now and then: a slice is done many times in a second. */
function slowly(call: Progress): Progress {
  let calls = 0;
  return (total) => {
    if ((calls += 1) % SLICES_BETWEEN === 0) call(total);
  };
}

export const storageCommands = [report, prune];
