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
  summary: 'Lets every failed job run again; the running server takes them up at once.',
  example: 'jobs retry',
  run: async (tools) => {
    const count = await (await tools.services()).get(JobRepository).retryFailed();
    tools.print(`${counted(count, 'job')} will run again.`);
  },
});

export const jobsCommands = [list, retry];

function row({ id, name, attempts, parkedAt, lastError }: FailedJob): string[] {
  const [error = ''] = (lastError ?? '').split('\n');
  return [id, name, String(attempts), parkedAt, error];
}
