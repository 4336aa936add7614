import type { QuotePolicyName } from '../../accounts/index.js';
import { phrase, Unprocessable } from '../../common/index.js';
import { FOLLOWERS_ONLY, OPEN_TO_USERS } from './visibility.js';

export type { QuotePolicyName };

/** Who may quote a post: the author's choice. The author always may. */
export const QuotePolicy = { public: 0, followers: 1, nobody: 2 } as const satisfies Record<QuotePolicyName, number>;

/** Of posts of other servers only: everybody may ask the author, who decides. */
export const QUOTES_ASKED = 3;

/**
 * The choice with a name, as clients know it; undefined without one.
 * @throws Unprocessable for an unknown one
 */
export function quotePolicyNamed(name: string | undefined): QuotePolicyName | undefined {
  if (!name) return undefined;
  if (!Object.hasOwn(QuotePolicy, name))
    throw new Unprocessable(phrase('Unknown quote approval policy: {name}', { name }));
  return name as QuotePolicyName;
}

/**
 * Who may quote a post. A post for few can be quoted by its author alone, whatever was chosen; all others by everybody
 * where nothing was chosen (spec §10.12).
 */
export function quotePolicyOf(visibility: number, chosen: number | null): number {
  return OPEN_TO_USERS.includes(visibility) ? (chosen ?? QuotePolicy.public) : QuotePolicy.nobody;
}

/**
 * Whether posts of a visibility can be quoted: those that all users may read, and an author's own for the followers
 * (spec §10.12).
 */
export function isQuotable(visibility: number, isOwn: boolean): boolean {
  return OPEN_TO_USERS.includes(visibility) || (isOwn && FOLLOWERS_ONLY.includes(visibility));
}

/** What decides whether an account may quote a post. */
export interface QuoteConsent {
  /** Posts of other servers: their servers decide. */
  readonly local: boolean;
  readonly visibility: number;
  readonly quotePolicy: number | null;
  readonly isOwn: boolean;
  /** Whether the account may see the post. */
  readonly isVisible: boolean;
  readonly isFollower: boolean;
  /** Whether the author blocks the account. */
  readonly isBlocked: boolean;
}

/** The one rule of who may quote a post of this server. */
export function mayQuote({ local, visibility, quotePolicy: chosen, ...party }: QuoteConsent): boolean {
  if (!local || party.isOwn) return true;
  const policy = quotePolicyOf(visibility, chosen);
  if (!party.isVisible || party.isBlocked) return false;
  return policy === QuotePolicy.public || (policy === QuotePolicy.followers && party.isFollower);
}

/** Whether an account may quote a post that it sees (reference QuoteApproval). */
export type QuoteAnswer = 'automatic' | 'manual' | 'denied' | 'unknown';

/** The answer to an account that sees a post. Of posts of other servers without a known policy nothing is promised. */
export function quoteAnswer(party: Omit<QuoteConsent, 'isVisible'>): QuoteAnswer {
  const { local, isOwn, visibility, quotePolicy: chosen } = party;
  if (party.isBlocked || !isQuotable(visibility, isOwn)) return 'denied';
  if (!local && chosen === null && !isOwn) return 'unknown';
  if (chosen === QUOTES_ASKED) return 'manual';
  return mayQuote({ ...party, local: true, isVisible: true }) ? 'automatic' : 'denied';
}
