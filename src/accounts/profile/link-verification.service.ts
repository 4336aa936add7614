import { Injectable } from '@nestjs/common';
import { linksOfPage, soleLink, unique } from '../../common/index.js';
import {
  Asker,
  type Bucket,
  done,
  Events,
  Handles,
  isPassingStatus,
  job,
  Jobs,
  Limiter,
  OutboundError,
  type OutboundResponse,
  type Outcome,
  parseUrl,
  retry,
  UnitOfWork,
} from '../../platform/index.js';
import type { AccountField } from '../model/account.entities.js';
import { AccountRepository } from '../model/account.repository.js';
import type { AccountRow } from '../model/account.rows.js';
import { AccountUpdated } from '../model/accounts.events.js';

interface VerifyLinksPayload {
  readonly accountId: string;
  /** The number of failed attempts so far. */
  readonly failures: number;
}

const HOUR_MS = 3_600_000;
/** Delays before another attempt at pages that could not be fetched; after the last one they count as gone. */
const AGAIN_AFTER_MS = [HOUR_MS, 12 * HOUR_MS];

/** Finds the linked pages of a local account's fields that link back to it. */
export const VerifyLinks = job<VerifyLinksPayload>('accounts.verify-links', 'pages', {
  longestDelayMs: Math.max(...AGAIN_AFTER_MS),
});

/** Whether a page links back to the account. `unknown`: the page could not be fetched this time. */
type Verdict = 'links back' | 'does not' | 'unknown';

/** Limits the checks of an account that edits its profile often, to spare other servers; later edits wait with it. */
const OFTEN: Bucket = { name: 'accounts.verify-links', points: 10, windowMs: HOUR_MS / 6 };
const TIMEOUT_MS = 10_000;
const PAGES = ['text/html', 'application/xhtml+xml'];
const BACK_LINKS = { rel: 'me', elements: ['a', 'link'] };

/**
 * The check mark of profile fields (spec §2.1, `fields[].verified_at`): a field that is one link is verified when that
 * page links back to the account with `rel="me"`. Every edit of the profile checks again.
 */
@Injectable()
export class LinkVerificationService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly asker: Asker,
    private readonly limiter: Limiter,
    private readonly accounts: AccountRepository,
  ) {}

  /** Queues the verification of these fields, in the unit of work that edits the profile. */
  ask(accountId: string, fields: readonly AccountField[]): void {
    if (!fields.some((field) => linkOf(field) !== undefined)) return;
    this.enqueue({ accountId, failures: 0 });
  }

  /** Fetches the pages in parallel and stores which of them link back. */
  @Handles(VerifyLinks)
  async verify({ accountId, failures }: VerifyLinksPayload): Promise<Outcome> {
    const account = await this.accounts.byId(accountId);
    if (account?.domain !== null) return done;
    const { allowed, resetAt } = await this.limiter.consume(OFTEN, accountId);
    if (!allowed) return retry('The links were verified often', resetAt.getTime() - Date.now());
    const verdicts = await this.verdicts(account);
    const againAfter = AGAIN_AFTER_MS[failures];
    const now = new Date().toISOString();
    const fields = account.fields.map((field) => {
      const verdict = verdicts.get(linkOf(field) ?? '') ?? 'does not';
      return verdict === 'unknown' && againAfter !== undefined ? field : marked(field, verdict, now);
    });
    await this.uow.run(async () => {
      if (JSON.stringify(fields) !== JSON.stringify(account.fields)) await this.replace(account, fields);
      if (againAfter === undefined || ![...verdicts.values()].includes('unknown')) return;
      this.enqueue({ accountId, failures: failures + 1 }, new Date(Date.now() + againAfter));
    });
    return done;
  }

  /** One job key for each number of failures: a running job must not replace itself. */
  private enqueue(payload: VerifyLinksPayload, runAt?: Date): void {
    const key = `verify-links:${payload.accountId}:${payload.failures}`;
    this.jobs.enqueue(VerifyLinks, payload, { key, ...(runAt && { runAt }) });
  }

  /** Skips fields that were edited meanwhile: that edit queued its own check. */
  private async replace({ id, fields: before }: AccountRow, after: readonly AccountField[]): Promise<void> {
    if (await this.accounts.replaceFields(id, before, after)) this.events.emit(new AccountUpdated(id, true));
  }

  private async verdicts({ fields, url, apId }: AccountRow): Promise<Map<string, Verdict>> {
    const profiles = new Set(unique([url, apId]).map(comparable));
    const asked = unique(fields.map(linkOf)).map(async (link): Promise<[string, Verdict]> => [
      link,
      await this.verdict(link, profiles),
    ]);
    return new Map(await Promise.all(asked));
  }

  private async verdict(link: string, profiles: ReadonlySet<string>): Promise<Verdict> {
    try {
      const page = await this.asker.ask({ url: link, accept: PAGES, timeoutMs: TIMEOUT_MS });
      if (isPassingStatus(page.status)) return 'unknown';
      return isOf(page, link) && (await linksTo(page, profiles)) ? 'links back' : 'does not';
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return error.isPassing ? 'unknown' : 'does not';
    }
  }
}

function linkOf({ source }: AccountField): string | undefined {
  return source === undefined ? undefined : soleLink(source);
}

function marked({ verified_at: since, ...field }: AccountField, verdict: Verdict, now: string): AccountField {
  return verdict === 'links back' ? { ...field, verified_at: since ?? now } : field;
}

/** Whether the answer came from the host in the field: a redirect may lead to any other host. */
function isOf({ url }: OutboundResponse, link: string): boolean {
  return siteOf(url) === siteOf(link);
}

function siteOf(url: string): string | undefined {
  return parseUrl(url)?.host.replace(/^www\./, '');
}

async function linksTo({ body, url }: OutboundResponse, profiles: ReadonlySet<string>): Promise<boolean> {
  const links = await linksOfPage(body.toString('utf8'), url, BACK_LINKS);
  return links.some((link) => profiles.has(comparable(link)));
}

/** An address in the form that is compared: without parts that do not change the page, and names in any case. */
function comparable(url: string): string {
  return url.replace(/#.*$/s, '').replace(/\/$/, '').toLowerCase();
}
