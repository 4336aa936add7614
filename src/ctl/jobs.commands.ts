import { AdminQueuesService, OPERATOR } from '../admin/index.js';
import { JobRepository, type FailedJob } from '../platform/index.js';
import { command } from './frame/command.js';
import { columns, counted, JSON_OPTION, rowsAsJson } from './frame/output.js';

const SHOWN = 100;

const list = command({
  words: 'jobs list',
  summary: `Shows the ${SHOWN} oldest jobs that failed for good.`,
  options: { json: JSON_OPTION },
  example: 'jobs list',
  run: async (tools, _args, options) => {
    const failed = await (await tools.services()).get(JobRepository).listFailed(SHOWN);
    if (options.json) tools.print(rowsAsJson(failed));
    else if (failed.length === 0) tools.print('No failed jobs.');
    else tools.print(...columns([['ID', 'JOB', 'TRIES', 'FAILED', 'ERROR'], ...failed.map(row)]));
  },
});

const retry = command({
  words: 'jobs retry',
  summary: 'Lets every failed job run again, or one of them; the running server takes them up at once.',
  options: { id: { type: 'string', help: 'Only the job with this id.' } },
  example: 'jobs retry',
  run: async (tools, _args, { id }) => {
    if (id !== undefined) {
      const name = await (await tools.services()).get(AdminQueuesService).retry(OPERATOR, id);
      tools.print(`${name} will run again.`);
      return;
    }
    const count = await (await tools.services()).get(AdminQueuesService).retryAll(OPERATOR);
    tools.print(`${counted(count, 'job')} will run again.`);
  },
});

const drop = command({
  words: 'jobs drop',
  summary: 'Removes a failed job: its work is never done.',
  parameters: { id: 'Its id in `jobs list`.' },
  example: 'jobs drop 4711',
  run: async (tools, { id }) => {
    const name = await (await tools.services()).get(AdminQueuesService).drop(OPERATOR, id);
    tools.print(`${name} was dropped.`);
  },
});

export const jobsCommands = [list, retry, drop];

function row({ id, name, attempts, parkedAt, lastError }: FailedJob): string[] {
  const [error = ''] = (lastError ?? '').split('\n');
  return [id, name, String(attempts), parkedAt, error];
}
