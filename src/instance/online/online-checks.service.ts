import { Inject, Injectable } from '@nestjs/common';
import { DATABASE_ADDRESS } from '../../backup/index.js';
import { asReason, Conflict, phrase } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Asker, type DatabaseAddress, ENV, type Env, knownUrl, Mailer, tryAdvisoryLock } from '../../platform/index.js';
import { ProbeTickets } from '../health/probe-tickets.js';
import { addressProblems, dnsProblems, plainHttpProblems, tlsProblems } from './address-checks.js';
import { clockOffset } from './clock.js';
import { Documents } from './documents.js';
import { type OnlineCheck, type OnlineFinding, type OnlineReport, type Problem, problem } from './finding.js';
import {
  askProbe,
  eventStreamProblems,
  forwardedProblems,
  headerProblems,
  uploadProblems,
  webSocketProblems,
} from './proxy-checks.js';
import type { Target } from './target.js';

/** Signatures are good for some minutes on most servers, codes of authenticator apps for half of one. */
const MAX_OFFSET_SECONDS = 15;
/** The time of a run that a browser waits for: proxies commonly wait for a minute. */
const RUN_MS = 45_000;
/** Held by the process that runs the checks. */
export const RUN_LOCK = 'svc.online-checks';

/** Looks at the running server from outside in, through its public address. */
@Injectable()
export class OnlineChecksService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(DATABASE_ADDRESS) private readonly database: DatabaseAddress,
    private readonly settings: Settings,
    private readonly tickets: ProbeTickets,
    private readonly mailer: Mailer,
    private readonly asker: Asker,
  ) {}

  /** Does one check after the other: one that others depend on comes first, and ends the rest. */
  async *examine(signal?: AbortSignal): AsyncGenerator<OnlineFinding> {
    const target: Target = {
      baseUrl: knownUrl(this.env.baseUrl),
      handleDomain: this.env.handleDomain,
      uploadLimit: this.settings.get('instance.upload_limit'),
      ticket: () => this.tickets.issue(),
      signal,
    };
    yield finding('address', addressProblems(target));
    const unknown = await dnsProblems(target);
    yield finding('dns', unknown);
    yield finding('tls', await tlsProblems(target));
    yield finding('plain-http', await plainHttpProblems(target));
    yield* this.throughProxy(target);
    if (unknown.length === 0) yield finding('clock', await clockProblems()); // else this machine may be alone
    const mail = await this.mailer.problem();
    yield finding('mail', mail === undefined ? [] : [problem(asReason(mail))]);
  }

  /**
   * The findings of all checks, for somebody who waits: within 45 seconds, and one run at a time.
   * @throws Conflict while another run lasts, in this process or another
   */
  async run(): Promise<OnlineReport> {
    const report = await tryAdvisoryLock(this.database, RUN_LOCK, () => this.report(AbortSignal.timeout(RUN_MS)));
    if (!report) throw new Conflict('A check is running already');
    return report;
  }

  private async report(signal: AbortSignal): Promise<OnlineReport> {
    const findings: OnlineFinding[] = [];
    const { promise: over, resolve } = Promise.withResolvers<'over'>();
    signal.addEventListener('abort', () => resolve('over'));
    const checks = this.examine(signal);
    for (;;) {
      const next = await Promise.race([checks.next(), over]);
      const isOver = next === 'over';
      if (isOver || next.done) return { findings, isComplete: !isOver, at: new Date().toISOString() };
      findings.push(next.value);
    }
  }

  private async *throughProxy(target: Target): AsyncGenerator<OnlineFinding> {
    const probe = await askProbe(target, 0);
    const isAnswered = 'peer' in probe;
    yield finding('server', isAnswered ? [] : [problem(probe)]);
    if (!isAnswered) return;
    yield finding('clients', forwardedProblems(target, probe));
    yield finding('headers', headerProblems(target, probe));
    yield finding('upload', await uploadProblems(target));
    yield finding('web-socket', await webSocketProblems(target));
    yield finding('event-stream', await eventStreamProblems(target));
    if (this.settings.get('instance.federating')) yield* this.federation(target);
  }

  /** How other servers get the key that this one signs with, and find people: at the domain of the handles. */
  private async *federation(target: Target): AsyncGenerator<OnlineFinding> {
    const { baseUrl, handleDomain } = target;
    const documents = new Documents(target, this.asker);
    const actor = await documents.ask(knownUrl('/internal/fetch', baseUrl), 'publicKeyPem');
    yield finding('actor', actor.problems);
    const name = /"preferredUsername":"([^"]+)"/.exec(actor.text)?.[1];
    if (name === undefined) return;
    const path = `/.well-known/webfinger?resource=acct:${name}@${handleDomain}`;
    const url = knownUrl(path, `${baseUrl.protocol}//${handleDomain}`);
    yield finding('web-finger', (await documents.ask(url, baseUrl.origin)).problems);
  }
}

function finding(check: OnlineCheck, problems: readonly Problem[]): OnlineFinding {
  return { check, problems };
}

async function clockProblems(): Promise<Problem[]> {
  const offset = await clockOffset();
  if (offset === undefined || Math.abs(offset) <= MAX_OFFSET_SECONDS) return [];
  const seconds = Math.abs(Math.round(offset));
  const text =
    offset > 0
      ? phrase('this machine is {seconds} seconds ahead: signatures and codes of apps fail', { seconds })
      : phrase('this machine is {seconds} seconds behind: signatures and codes of apps fail', { seconds });
  return [problem(text)];
}
