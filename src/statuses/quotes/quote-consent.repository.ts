import { Injectable } from '@nestjs/common';
import { blocks, isFollowed } from '../../accounts/index.js';
import { columns, Database, sql, UnitOfWork } from '../../platform/index.js';
import type { QuoteConsent } from '../model/quote-policy.js';
import { Status } from '../model/status.entities.js';
import { LOCAL_ONLY, maySee } from '../model/visibility.js';

/** A post that quotes another, as far as the consent to the quote is concerned. */
export interface QuotingRow {
  readonly id: string;
  readonly uri: string;
  readonly authorId: string;
  readonly local: boolean;
  readonly visibility: number;
  readonly editedAt: string | null;
  /** What it shows; null also for a refused quote. */
  readonly quoteOfId: string | null;
  readonly quoteUri: string | null;
  readonly quoteApproval: string | null;
  readonly quoteRefused: boolean;
  /** The post with the address that it quotes, where that is stored. */
  readonly quotedId: string | null;
  readonly quotedAuthorId: string | null;
  readonly quotedVisibility: number | null;
  readonly quotedLocal: boolean | null;
}

/** What a post says of its quote. */
export interface QuoteState {
  readonly quoteOfId: string | null;
  readonly quoteUri: string | null;
  readonly quoteApproval: string | null;
  readonly quoteRefused: boolean;
}

const QUOTING = `${columns(Status, 's', ['id', 'uri', 'authorId', 'local', 'visibility', 'editedAt', 'quoteOfId', 'quoteUri', 'quoteApproval', 'quoteRefused'])}, q.id as "quotedId", q.author_id as "quotedAuthorId", q.visibility as "quotedVisibility", q.local as "quotedLocal"
  from statuses s left join statuses q on q.uri = s.quote_uri and q.reblog_of_id is null`;

// Index: statuses_uri_key.
const byUri = sql<QuotingRow>('quotes.by_uri', `select ${QUOTING} where s.uri = $1 and s.reblog_of_id is null`);

// Index: statuses_quote_approval.
const byApproval = sql<{ id: string }>(
  'quotes.by_approval',
  `select s.id from statuses s join statuses q on q.uri = s.quote_uri and q.author_id = $2 where s.quote_approval = $1`,
);

const lock = sql('quotes.lock', `select from statuses where id = $1 for update`);
const byId = sql<QuotingRow>('quotes.by_id', `select ${QUOTING} where s.id = $1`);

// Index: statuses_pkey, accounts_pkey, follows_pair, blocks_pair.
const consent = sql<QuoteConsent>(
  'quotes.consent',
  `select s.local, s.visibility, s.quote_policy as "quotePolicy", s.author_id = $2 as "isOwn",
     ${isFollowed('s.author_id', '$2')} as "isFollower",
     ${blocks('s.author_id', '$2')} as "isBlocked",
     ${maySee('s', '$2')} and (party.domain is null or not ${LOCAL_ONLY.sql('s')}) as "isVisible"
   from statuses s, accounts party where s.id = $1 and party.id = $2`,
);

const choose = sql<{ visibility: number }>(
  'quotes.choose_policy',
  `update statuses set quote_policy = $3, version = version + 1
   where id = $1 and author_id = $2 and reblog_of_id is null and quote_policy is distinct from $3 returning visibility`,
);

/** The SQL on consents to quotes. */
@Injectable()
export class QuoteConsentRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** What decides whether an account may quote a post. */
  consent(quotedId: string, accountId: string): Promise<QuoteConsent | undefined> {
    return this.db.first(consent, [quotedId, accountId]);
  }

  byUri(uri: string): Promise<QuotingRow | undefined> {
    return this.db.first(byUri, [uri]);
  }

  /** The ids of the posts that name this consent of an author to their quotes: any server may name one of another quote. */
  async byApproval(approvalUri: string, quotedAuthorId: string): Promise<string[]> {
    return (await this.db.rows(byApproval, [approvalUri, quotedAuthorId])).map(({ id }) => id);
  }

  /** Locks a post until the unit ends. */
  async lock(id: string): Promise<QuotingRow | undefined> {
    await this.db.run(lock, [id]);
    return this.db.first(byId, [id]);
  }

  /** Changes what a post quotes; raises its version. */
  async write(id: string, state: QuoteState): Promise<void> {
    await this.uow.manager.update(Status, { id }, { ...state, version: () => 'version + 1' });
  }

  /** Stores the choice of an author; returns the visibility of the post, undefined when nothing changed. */
  async choose(id: string, authorId: string, policy: number | null): Promise<number | undefined> {
    return (await this.db.first(choose, [id, authorId, policy]))?.visibility;
  }
}
