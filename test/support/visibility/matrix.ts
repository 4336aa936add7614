import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { rowOf } from '../ledger.js';
import type { Post, Viewer } from './oracle.js';
import { atItsTime, isPublicOrUnlisted, mayRead, VIEWERS } from './oracle.js';
import { type Planted, type Scene, UNKNOWN } from './planted.js';
import type { PageSurface, PointSurface, Surface } from './surfaces.js';

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Whether caches other than that of the browser may keep the answer (threat V6). */
  readonly isShared: boolean;
}

/** The reads of one surface. Each read checks whether one viewer sees one post there. */
export interface Tally {
  reads: number;
  seen: number;
}

/** The cells of a round: those in which the post must be hidden, or those in which it must be shown. */
export type Round = 'refused' | 'shown';
/** Selects cells. */
export type Among = (surface: PointSurface, viewer: Viewer, post: Planted) => boolean;
/** The hidden cells are asked again after permitted viewers have read the same posts. */
const ROUNDS: readonly Round[] = ['refused', 'shown', 'refused'];

const AT_ONCE = 8;
/** The maximum number of lines in a report. */
const TOLD = 30;
const CANARY = /canary-(\d+)/g;

/** Asks surfaces as viewers, compares every answer with the oracle, and counts. */
export class Matrix {
  readonly tallies = new Map<string, Tally>();
  /** Posts that were shown to a viewer but must be hidden, and posts that were hidden but must be shown. */
  readonly leaks: string[] = [];
  readonly misses: string[] = [];
  requests = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  private readonly unknown = new Map<string, Promise<Answer>>();

  constructor(
    private readonly scene: Scene,
    private readonly origin: string,
  ) {}

  /**
   * Asks each of the surfaces as every viewer, in rounds; returns the errors.
   * @param among selects the cells of surfaces that show one post
   */
  check(
    surfaces: readonly Surface[],
    viewers: readonly Viewer[],
    rounds: readonly Round[] = ROUNDS,
    among: Among = () => true,
  ): Promise<string[]> {
    return this.faultsOf(async () => {
      for (const surface of surfaces) {
        if (surface.kind === 'point') await this.checkPoint(surface, viewers, rounds, among);
        else await this.checkPage(surface, viewers, rounds);
      }
    });
  }

  /** Runs the work; returns the errors that it found. */
  async faultsOf(work: () => Promise<void>): Promise<string[]> {
    const before = { leaks: this.leaks.length, misses: this.misses.length };
    await work();
    return [...shortened(this.leaks.slice(before.leaks)), ...shortened(this.misses.slice(before.misses))];
  }

  /** The route of a surface, as a row of `test/data/endpoints.tsv`. */
  routeOf(surface: Surface): string | undefined {
    const [viewer, post] = [VIEWERS[0]!, this.scene.posts[0]!];
    const isPoint = surface.kind === 'point';
    return rowOf('GET', isPoint ? surface.path(post, viewer, this.scene) : surface.path(viewer, this.scene));
  }

  get total(): Tally {
    const all = [...this.tallies.values()];
    const sum = (pick: (tally: Tally) => number) => all.reduce((total, tally) => total + pick(tally), 0);
    return { reads: sum(({ reads }) => reads), seen: sum(({ seen }) => seen) };
  }

  /** Returns one line for everything, and one for each surface. */
  report(title: string): string {
    const line = ({ reads, seen }: Tally) => `${reads} reads, ${this.leaks.length} leaks, ${seen} allowed reads seen`;
    const each = [...this.tallies].map(([name, { reads, seen }]) => `  ${name}: ${reads} reads, ${seen} seen`);
    return [`${title}: ${line(this.total)} (${this.requests} requests)`, ...each].join('\n');
  }

  close(): void {
    this.agent.destroy();
  }

  private async checkPoint(
    surface: PointSurface,
    viewers: readonly Viewer[],
    rounds: readonly Round[],
    among: Among,
  ): Promise<void> {
    const posts = this.scene.posts.filter(surface.has);
    const cells = viewers
      .flatMap((viewer) => posts.map((post) => ({ viewer, post })))
      .filter(({ viewer, post }) => among(surface, viewer, post));
    const read = new Set(cells.filter(({ viewer, post }) => surface.rule(viewer, post)).map(({ post }) => post));
    for (const [at, round] of rounds.entries()) {
      const isAsked = ({ viewer, post }: (typeof cells)[number]) =>
        surface.rule(viewer, post) === (round === 'shown') && (at < 2 || read.has(post));
      const asked = cells.filter(isAsked);
      await inTurns(asked, ({ viewer, post }) => this.askPoint(surface, viewer, post));
    }
  }

  private async askPoint(surface: PointSurface, viewer: Viewer, post: Planted): Promise<void> {
    const answer = await this.ask(viewer, surface.path(post, viewer, this.scene), surface);
    this.lookForCaching(surface, viewer, answer);
    this.lookForOthers(surface, viewer, answer);
    const isSeen = answer.status === 200 && answer.body.includes(surface.trace(post));
    const isRefused = !isSeen && (!surface.isExact || (await this.isAsUnknown(surface, viewer, post, answer)));
    if (surface.rule(viewer, post)) this.count(surface, viewer, post, isSeen, isSeen);
    else this.count(surface, viewer, post, isSeen || !isRefused, false);
  }

  /** A page shows and hides posts in one answer. */
  private async checkPage(surface: PageSurface, viewers: readonly Viewer[], rounds: readonly Round[]): Promise<void> {
    const times = rounds.filter((round) => round !== 'shown').length;
    for (let time = 0; time < Math.max(times, 1); time += 1) {
      await inTurns(viewers, async (viewer) => {
        const answer = await this.ask(viewer, surface.path(viewer, this.scene), surface);
        this.lookForCaching(surface, viewer, answer);
        this.judge(surface, viewer, answer.body);
      });
    }
  }

  /** Compares what a viewer received, in any way, with the rule of the place. */
  judge(place: Pick<Surface, 'name' | 'rule'>, viewer: Viewer, body: string): void {
    const shown = canariesIn(body);
    for (const post of this.scene.posts) {
      const isSeen = shown.has(post.canary);
      this.count(place, viewer, post, isSeen, isSeen && place.rule(viewer, post));
    }
  }

  /** `isSeen`: the viewer found the post. `isAllowed`: the viewer found it and may see it. */
  private count(
    surface: Pick<Surface, 'name' | 'rule'>,
    viewer: Viewer,
    post: Post,
    isSeen: boolean,
    isAllowed: boolean,
  ): void {
    const tally = this.tallies.get(surface.name) ?? { reads: 0, seen: 0 };
    this.tallies.set(surface.name, tally);
    tally.reads += 1;
    if (isAllowed) tally.seen += 1;
    const cell = `${surface.name}: ${viewer.name}, ${post.name}`;
    if (isSeen && !isAllowed) this.leaks.push(`shown at ${cell}`);
    if (!isSeen && surface.rule(viewer, post)) this.misses.push(`not shown at ${cell}`);
  }

  /** No answer may contain a post that its reader may not read. */
  private lookForOthers(surface: Surface, viewer: Viewer, { body }: Answer): void {
    const shown = canariesIn(body);
    for (const post of this.scene.posts) {
      if (!shown.has(post.canary) || mayRead(viewer, post) || atItsTime(viewer, post) || surface.rule(viewer, post))
        continue;
      this.leaks.push(`held by ${surface.name}: ${viewer.name}, ${post.name}`);
    }
  }

  /** No shared cache may keep an answer with posts that are not open (threat V6). */
  private lookForCaching(surface: Surface, viewer: Viewer, { body, isShared }: Answer): void {
    if (!isShared) return;
    const shown = canariesIn(body);
    if (this.scene.posts.some((post) => shown.has(post.canary) && !isPublicOrUnlisted(post)))
      this.leaks.push(`left to caches at ${surface.name}: ${viewer.name}`);
  }

  /** A hidden post gets the answer of an unknown one. Only for an open post that is gone, 410 is right as well. */
  private async isAsUnknown(surface: PointSurface, viewer: Viewer, post: Planted, answer: Answer): Promise<boolean> {
    const key = `${surface.name} ${viewer.name} ${viewer.token} ${viewer.isExcluded}`;
    const known = this.unknown.get(key) ?? this.ask(viewer, surface.path(UNKNOWN, viewer, this.scene), surface);
    this.unknown.set(key, known);
    const { status, body } = await known;
    if (answer.status === 410) return post.state !== 'stands' && isPublicOrUnlisted(post);
    if (answer.status === 303 && status === 303) return true; // both lead to the sign-in
    return answer.status >= 400 && answer.status === status && answer.body === body;
  }

  /** Requests a path like a browser, which follows redirects to this server. */
  async ask(viewer: Viewer, path: string, how: Pick<Surface, 'headers' | 'inPages'> = {}): Promise<Answer> {
    const options = { agent: this.agent, headers: { ...how.headers, ...(await this.credentials(viewer, how)) } };
    this.requests += 1;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(new URL(path, this.origin), options, resolve).on('error', reject);
    });
    const { 'cache-control': caching = 'public' } = response.headers;
    const isShared = !/\b(?:private|no-store)\b/.test(caching);
    const answer = { status: response.statusCode ?? 0, body: await text(response), isShared };
    const { location } = response.headers;
    if (location?.startsWith(`${this.origin}/`)) return this.ask(viewer, location.slice(this.origin.length), how);
    if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
    return answer;
  }

  private async credentials(viewer: Viewer, { inPages = false }: Pick<Surface, 'inPages'>) {
    if (inPages) return { cookie: `_svc_key=${await this.scene.sessionOf(viewer)}` };
    const token = await this.scene.tokenOf(viewer);
    return token === '' ? {} : { authorization: `Bearer ${token}` };
  }
}

function shortened(lines: readonly string[]): string[] {
  return lines.length > TOLD ? [...lines.slice(0, TOLD), `… ${lines.length} in all`] : [...lines];
}

function canariesIn(body: string): Set<number> {
  return new Set([...body.matchAll(CANARY)].map(([, number]) => Number(number)));
}

/** Works on a few items at the same time. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
