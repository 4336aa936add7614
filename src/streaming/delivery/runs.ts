import { groupBy } from '../../common/index.js';
import { type Frame, type FrameBytes, FrameRun } from '../connections/frame.js';
import type { Session } from '../connections/session.js';
import type { Delivery } from './payloads.js';

/** What each session gets of a batch, in the order of the deliveries. Sessions that get the same share their list. */
export function receivedBy(deliveries: readonly Delivery[]): Map<Session, readonly Delivery[]> {
  const bySession = new Map<Session, readonly Delivery[]>();
  const several = new Set<Session>();
  for (const [sessions, received] of groupBy(deliveries, (delivery) => delivery.sessions)) {
    for (const session of sessions) {
      const before = bySession.get(session);
      if (before) several.add(session);
      bySession.set(session, before ? [...before, ...received] : received);
    }
  }
  if (several.size === 0) return bySession;
  const places = new Map(deliveries.map((delivery, at) => [delivery, at]));
  const placeOf = (delivery: Delivery) => places.get(delivery) ?? 0;
  for (const session of several)
    bySession.set(
      session,
      (bySession.get(session) ?? []).toSorted((a, b) => placeOf(a) - placeOf(b)),
    );
  return bySession;
}

/** The frames of one batch, joined once for all sessions that get the same ones. */
export class Runs {
  private readonly byList = new Map<readonly Delivery[], FrameBytes>();
  private readonly byFrames = new Map<string, FrameRun>();
  private readonly numbers = new Map<Frame, number>();

  /** The frames for a session that still reads their streams; undefined when none is left. */
  for(session: Session, received: readonly Delivery[]): FrameBytes | undefined {
    const isRead = ({ readers }: Delivery) => session.subscriptions.has(readers.topic);
    if (!received.every(isRead)) return this.joined(received.filter(isRead));
    const known = this.byList.get(received) ?? this.joined(received);
    if (known) this.byList.set(received, known);
    return known;
  }

  private joined(received: readonly Delivery[]): FrameBytes | undefined {
    if (received.length <= 1) return received[0]?.frame;
    const key = received.map(({ frame }) => this.numberOf(frame)).join();
    const run = this.byFrames.get(key) ?? new FrameRun(received.map(({ frame }) => frame));
    this.byFrames.set(key, run);
    return run;
  }

  private numberOf(frame: Frame): number {
    const number = this.numbers.get(frame) ?? this.numbers.size;
    this.numbers.set(frame, number);
    return number;
  }
}
