import { JobRegistry } from '../../src/platform/jobs/job-registry.js';
import type { EventClass, Subscription } from '../../src/platform/jobs/handlers.js';
import { useApp } from '../support/servers/app.js';

type Subscriber = Subscription & { readonly event: EventClass };

/** Jobs that also run for local events: remote followers see the counts of a local poll, which local votes change, and its result. */
const ALSO_LOCAL = new Set(['federation.count-votes', 'federation.send-poll-end']);
/** Jobs of events that name no party: only one side causes them. */
const WITHOUT_PARTIES = new Set(['federation.revoke-quote', 'federation.refresh-poll', 'federation.send-listen']);

/** The fields of events that say whether an account is local. */
const parties = (isLocal: boolean) => ({
  local: isLocal,
  actorLocal: isLocal,
  targetLocal: isLocal,
  localFollower: isLocal,
  localFollowee: isLocal,
  localSender: isLocal,
  localRecipient: isLocal,
});

/** Every combination of the other fields of events. */
const facts = [true, false].flatMap((accepted) =>
  ['follower', 'followee'].flatMap((endedBy) =>
    [0, 1, 2, 3, 4, 5].map((visibility) => ({ accepted, endedBy, visibility, paths: [] })),
  ),
);

describe('a federation subscriber', () => {
  const app = useApp({ once: [] });
  let subscribers: Subscriber[];

  beforeAll(() => {
    const { subscriptions } = app.get(JobRegistry) as unknown as { subscriptions: Map<string, Subscriber[]> };
    subscribers = [...subscriptions.values()].flat().filter(({ job }) => job.startsWith('federation.'));
  });

  const wanting = (isLocal: boolean, chosen = subscribers) =>
    chosen.filter(({ event, when }) => {
      const isEvent = (each: object) => Object.assign(Object.create(event.prototype as object) as object, each);
      return facts.some((each) => when?.(isEvent({ ...each, ...parties(isLocal) })) ?? true);
    });

  it('creates no job for an event without local accounts', () => {
    expect(subscribers.length).toBeGreaterThan(10);
    const jobs = wanting(false).map(({ job }) => job);
    expect(jobs.filter((job) => !WITHOUT_PARTIES.has(job))).toEqual([]);
  });

  it('creates no job for an event between two local accounts', () => {
    const ofTwo = subscribers.filter(({ event }) => /^(?!Status|Quote|Account)/.test(event.name));
    const jobs = wanting(true, ofTwo).map(({ job }) => job);
    expect(jobs.filter((job) => !ALSO_LOCAL.has(job) && !WITHOUT_PARTIES.has(job))).toEqual([]);
    expect(ofTwo.length).toBeGreaterThan(5);
  });
});
