import type { QueuesOverview } from '../../../admin/index.js';
import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import { actionButton } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { askFirst } from '../parts/staff.part.js';

const PATH = `${STAFF_PATH}/queues`;

type Job = QueuesOverview['jobs'][number];
type FailedJob = QueuesOverview['failed'][number];
type Host = QueuesOverview['hosts'][number];

/** What waits in the server: jobs by name, those that failed, what other servers get, and what they sent. */
export function queuesPage(t: Translator, queues: QueuesOverview, isChangeable: boolean): PageContent {
  const title = t.text('staff.queues');
  const { jobs, failed, deliveries, hosts, inbox } = queues;
  return {
    title,
    main: html`<h1>${title}</h1>
      <p class="soft">${t.text('staff.queues.text')}</p>
      <h2>${t.text('staff.queues.failed')}</h2>
      ${listed(
        t.text('staff.queues.failed.none'),
        failed.map((job) => failedRow(t, job, isChangeable)),
      )}
      <h2>${t.text('staff.queues.jobs')}</h2>
      ${listed(
        t.text('staff.queues.jobs.none'),
        jobs.filter((job) => !isOnlyLater(job)).map((job) => jobRow(t, job)),
      )}
      ${laterJobs(t, jobs.filter(isOnlyLater))}
      <h2>${t.text('staff.queues.deliveries')}</h2>
      <p>
        ${counted(t, [
          ['staff.queues.due', deliveries.due],
          ['staff.queues.later', deliveries.waiting],
        ])}
      </p>
      ${listed(
        t.text('staff.queues.hosts.none'),
        hosts.map((host) => hostRow(t, host, isChangeable)),
      )}
      <h2>${t.text('staff.queues.inbox')}</h2>
      <p>
        ${counted(t, [
          ['staff.queues.waiting', inbox.waiting],
          ['staff.queues.oldest', Math.round(inbox.oldest)],
        ])}
      </p>`,
  };
}

function listed(none: string, rows: readonly Html[]): Html {
  return rows.length === 0
    ? html`<p class="soft">${none}</p>`
    : html`<ul class="rows">
        ${rows}
      </ul>`;
}

type Count = readonly [
  key: `staff.queues.${'due' | 'running' | 'later' | 'stopped' | 'waiting' | 'oldest'}`,
  count: number,
];

/** Numbers with their names, such as `Due: 3 · Later: 2`. */
function counted(t: Translator, counts: readonly Count[]): string {
  return counts.map(([key, count]) => t.text(key, { number: count })).join(' · ');
}

/** Most jobs that recur wait for their next time: they stand behind a fold. */
const isOnlyLater = ({ due, running, failed }: Job) => due + running + failed === 0;

function laterJobs(t: Translator, jobs: readonly Job[]): Html | undefined {
  if (jobs.length === 0) return undefined;
  return html`<details>
    <summary>${t.text('staff.queues.only-later', { number: jobs.length })}</summary>
    <ul class="rows">
      ${jobs.map((job) => jobRow(t, job))}
    </ul>
  </details>`;
}

function jobRow(t: Translator, { name, queue, due, running, later, failed }: Job): Html {
  const counts: readonly Count[] = [
    ['staff.queues.due', due],
    ['staff.queues.running', running],
    ['staff.queues.later', later],
    ['staff.queues.stopped', failed],
  ];
  const some = counts.filter(([, count]) => count > 0);
  return html`<li>
    <span>
      <b lang="en">${bdi(name)}</b> <span class="soft">${t.text('staff.queues.in', { queue })}</span><br />
      ${counted(t, some)}
    </span>
  </li>`;
}

function failedRow(
  t: Translator,
  { id, name, attempts, parkedAt, lastError, requestId }: FailedJob,
  isChangeable: boolean,
) {
  return html`<li>
    <span>
      <b lang="en">${bdi(name)}</b>
      <span class="soft"
        >#${id} &middot; ${t.text('staff.queues.tries', { number: attempts })} &middot;
        <time datetime="${parkedAt}">${t.moment(parkedAt)}</time></span
      ><br />
      ${lastError !== null && html`<span lang="en">${bdi(lastError)}</span>`}
      ${requestId !== null && html`<br /><span class="soft">${t.text('staff.queues.request', { id: requestId })}</span>`}
      ${
        isChangeable &&
        html`<span class="staff-acts">
          ${actionButton({ path: `${PATH}/jobs/${id}/retry`, label: t.text('staff.queues.retry') })}
          ${askFirst(t.text('staff.queues.drop.ask'), {
            path: `${PATH}/jobs/${id}/drop`,
            label: t.text('staff.queues.drop'),
          })}
        </span>`
      }
    </span>
  </li>`;
}

function hostRow(t: Translator, row: Host, isChangeable: boolean): Html {
  const { host, state, waiting, unreachableSince: since, probeAt, lastError } = row;
  const moment = (key: 'staff.queues.since' | 'staff.queues.next', at: string) =>
    html` &middot; ${t.html(key, { time: html`<time datetime="${at}">${t.moment(at)}</time>` })}`;
  return html`<li>
    <span>
      <b>${bdi(host)}</b> <span class="soft">${t.text(`staff.queues.state.${state}`)}</span><br />
      ${counted(t, [['staff.queues.waiting', waiting]])} ${since !== null && moment('staff.queues.since', since)}
      ${probeAt !== null && moment('staff.queues.next', probeAt)}
      ${lastError !== null && html`<br /><span class="soft" lang="en">${bdi(lastError)}</span>`}
      ${
        isChangeable &&
        html`<span class="staff-acts">
          ${actionButton({
            path: `${PATH}/hosts/retry`,
            label: t.text('staff.queues.retry-host'),
            field: { name: 'host', value: host },
          })}
        </span>`
      }
    </span>
  </li>`;
}
