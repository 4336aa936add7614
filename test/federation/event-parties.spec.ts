import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobRegistry } from '../../src/platform/jobs/job-registry.js';
import type { EventClass, Subscription } from '../../src/platform/jobs/handlers.js';
import { startApp, type TestApp } from '../support/servers/app.js';

type Subscriber = Subscription & { readonly event: EventClass };

/** Followers elsewhere see the counts of a local poll, which local votes change too. */
const ALSO_LOCAL = new Set(['federation.count-votes']);

/** What events say about their parties. */
const parties = (isLocal: boolean) => ({
  local: isLocal,
  actorLocal: isLocal,
  targetLocal: isLocal,
  localFollower: isLocal,
  localFollowee: isLocal,
  localSender: isLocal,
  localRecipient: isLocal,
});

/** Every value of the facts besides the parties. */
const facts = [true, false].flatMap((accepted) =>
  ['follower', 'followee'].flatMap((endedBy) =>
    [0, 1, 2, 3, 4, 5].map((visibility) => ({ accepted, endedBy, visibility })),
  ),
);

describe('the subscribers of federation', () => {
  let app: TestApp;
  let subscribers: Subscriber[];

  beforeAll(async () => {
    app = await startApp();
    const { subscriptions } = app.get(JobRegistry) as unknown as { subscriptions: Map<string, Subscriber[]> };
    subscribers = [...subscriptions.values()].flat().filter(({ job }) => job.startsWith('federation.'));
  });
  afterAll(() => app.close());

  const wanting = (isLocal: boolean, chosen = subscribers) =>
    chosen.filter(({ event, when }) => {
      const isEvent = (each: object) => Object.assign(Object.create(event.prototype as object) as object, each);
      return facts.some((each) => when?.(isEvent({ ...each, ...parties(isLocal) })) ?? true);
    });

  it('make no job for what happens elsewhere', () => {
    expect(subscribers.length).toBeGreaterThan(10);
    expect(wanting(false).map(({ job }) => job)).toEqual([]);
  });

  it('make no job for what happens between two accounts of this server', () => {
    const ofTwo = subscribers.filter(({ event }) => /^(?!Status|AccountD|AccountU|AccountM)/.test(event.name));
    const jobs = wanting(true, ofTwo).map(({ job }) => job);
    expect(jobs.filter((job) => !ALSO_LOCAL.has(job))).toEqual([]);
    expect(ofTwo.length).toBeGreaterThan(5);
  });
});
