import { FeedRepairService, FeedsService } from '../timelines/index.js';
import { command, CommandError } from './command.js';
import { examine, type Finding, migrationsFinding } from './doctor.js';
import { counted, json, JSON_OPTION } from './output.js';
import { NICKNAME, requireAccount } from './require.js';

const migrate = command({
  words: 'migrate',
  summary: 'Brings the database up to date, as a start of the server does.',
  example: 'migrate',
  run: async (tools) => {
    const ran = await tools.migrate();
    tools.print(...ran, ran.length === 0 ? 'The database is up to date.' : `${counted(ran.length, 'migration')} ran.`);
  },
});

const doctor = command({
  words: 'doctor',
  summary: 'Looks for damage; ends with 1 when there is any.',
  options: { fix: { type: 'boolean', help: 'Corrects counters and home feeds.' }, json: JSON_OPTION },
  example: 'doctor --fix',
  run: async (tools, _args, { fix = false, json: asJson = false }) => {
    const findings: Finding[] = [];
    const note = (finding: Finding) => {
      findings.push(finding);
      if (!asJson) tools.print(...lines(finding));
    };
    const { pending, unknown } = await tools.migrations();
    note(migrationsFinding(pending, unknown));
    if (findings.every(isWell)) for await (const finding of examine(await tools.services(), fix)) note(finding);
    if (asJson) tools.print(json(findings));
    const ill = findings.filter((finding) => !isWell(finding)).length;
    if (ill > 0) throw new CommandError(`Something is wrong with ${counted(ill, 'thing')}.`);
  },
});

const rebuild = command({
  words: 'feeds rebuild',
  summary: 'Makes the home feed of a local account anew from the posts.',
  parameters: { nickname: NICKNAME },
  example: 'feeds rebuild alice',
  run: async (tools, { nickname }) => {
    const services = await tools.services();
    const { id } = await requireAccount(services, nickname);
    await services.get(FeedRepairService).rebuild(id);
    tools.print(`The home feed of ${nickname} is made anew.`);
  },
});

const trim = command({
  words: 'feeds trim',
  summary: 'Cuts home feeds that grew too long and drops those of readers who stayed away, as every night.',
  example: 'feeds trim',
  run: async (tools) => {
    await (await tools.services()).get(FeedsService).trim();
    tools.print('The home feeds are trimmed.');
  },
});

export const databaseCommands = [migrate, doctor];
export const feedsCommands = [rebuild, trim];

function isWell({ problems, fixed }: Finding): boolean {
  return problems.length === 0 || fixed;
}

function lines({ check, problems, fixed }: Finding): string[] {
  if (problems.length === 0) return [`ok     ${check}`];
  return problems.map((problem) => `${fixed ? 'fixed' : 'WRONG'}  ${check}: ${problem}`);
}
