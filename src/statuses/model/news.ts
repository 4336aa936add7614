/** Servers that were away get what waited for them for up to about as long; what is older was most likely fetched. */
const NEWS_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Whether a post or boost that is stored now was written now, too. Posts of other servers may be old: they are fetched with
 * a profile or a thread. Those are in no stream, and notify nobody.
 */
export function isNews({ local, createdAt }: { local: boolean; createdAt: Date }): boolean {
  return local || createdAt.getTime() > Date.now() - NEWS_MS;
}
