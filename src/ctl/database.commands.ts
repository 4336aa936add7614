import { command, CommandError } from './frame/command.js';
import { examine, migrationsFinding } from './doctor.js';
import { type Finding, findingLines, isWell } from './frame/finding.js';
import { examineOnline } from './online.js';
import { counted, json, JSON_OPTION } from './frame/output.js';

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
  options: {
    fix: { type: 'boolean', help: 'Corrects counters and home feeds.' },
    all: {
      type: 'boolean',
      help: 'Looks for repeated rows, and compares the counters of posts, also where there are more than a million.',
    },
    online: {
      type: 'boolean',
      help: 'Looks at the running server from outside instead: DNS, TLS, the reverse proxy, mail, the clock.',
    },
    json: JSON_OPTION,
  },
  example: 'doctor --fix',
  run: async (tools, _args, { fix = false, all = false, online = false, json: asJson = false }) => {
    const findings: Finding[] = [];
    const note = (finding: Finding) => {
      findings.push(finding);
      if (!asJson) tools.print(...findingLines(finding));
    };
    const { pending, unknown } = await tools.migrations();
    note(migrationsFinding(pending, unknown));
    if (findings.every(isWell)) {
      const services = await tools.services();
      const tell = (line: string) => {
        if (!asJson) tools.warn(line);
      };
      for await (const finding of online ? examineOnline(services) : examine(services, { fix, all, tell })) {
        note(finding);
        tools.signal.throwIfAborted();
      }
    }
    if (asJson) tools.print(json(findings));
    const ill = findings.filter((finding) => !isWell(finding)).length;
    if (ill > 0) throw new CommandError(`Something is wrong with ${counted(ill, 'thing')}.`);
  },
});

export const databaseCommands = [migrate, doctor];
