const HASH_BYTES = 32;

/**
 * SQL: the hash of a link that has ended, in place of `token_hash`. The row stays, since its letter still counts (threat O13). It
 * has one byte more than that of a valid link.
 */
export const ENDED = String.raw`'\x00'::bytea || sha256(token_hash)`;

/** SQL: whether a link has not ended. */
export const isNotEnded = (tokenHash: string): string => `octet_length(${tokenHash}) = ${HASH_BYTES}`;
