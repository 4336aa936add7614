import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The client id of the server's own app, for sign-ins to its pages. It is shorter than those of registered apps. */
export const OWN_CLIENT_ID = 'browser';

/** An app that acts for accounts (spec §2.6). */
@Entity('oauth_apps')
export class OauthApp {
  @PrimaryColumn({ type: 'bigint' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  website: string | null;

  @Column({ type: 'text', name: 'redirect_uris', array: true })
  redirectUris: string[];

  @Column({ type: 'text', array: true })
  scopes: string[];

  @Column({ type: 'text', name: 'client_id' })
  clientId: string;

  /** Stored in clear, because the administrators' list of apps shows it. */
  @Column({ type: 'text', name: 'client_secret' })
  clientSecret: string;

  @Column({ type: 'boolean' })
  trusted: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  /** Whether an account has ever signed in with it. */
  @Column({ type: 'boolean', name: 'signed_in' })
  signedIn: boolean;

  /** When the app registered or last got a token, other than by renewal. */
  @Column({ type: 'timestamptz', name: 'used_at' })
  usedAt: Date;
}

/** One sign-in of an account with an app, or an app's own token. Renewing it changes its tokens and keeps its row. */
@Entity('oauth_tokens')
export class OauthToken {
  @PrimaryColumn({ type: 'bigint' })
  id: string;

  @Column({ type: 'bigint', name: 'app_id' })
  appId: string;

  /** Null for an app's own token. */
  @Column({ type: 'text', name: 'account_id', collation: 'C', nullable: true })
  accountId: string | null;

  /** SHA-256 of the access token. */
  @Column({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  /** SHA-256 of the refresh token; null for an app's own token. */
  @Column({ type: 'bytea', name: 'refresh_hash', nullable: true })
  refreshHash: Buffer | null;

  @Column({ type: 'text', array: true })
  scopes: string[];

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt: Date;
}

/** A used refresh token. A second use means that it leaked, and ends its sign-in. */
@Entity('oauth_spent_refresh_tokens')
export class SpentRefreshToken {
  /** SHA-256 of the refresh token. */
  @PrimaryColumn({ type: 'bytea', name: 'refresh_hash' })
  refreshHash: Buffer;

  @Column({ type: 'bigint', name: 'token_id' })
  tokenId: string;

  @Column({ type: 'timestamptz', name: 'spent_at' })
  spentAt: Date;
}

/** Permission of an account's owner for an app, which the app exchanges for a token once (RFC 6749 §4.1). */
@Entity('oauth_codes')
export class AuthorizationCode {
  /** SHA-256 of the code. */
  @PrimaryColumn({ type: 'bytea', name: 'code_hash' })
  codeHash: Buffer;

  @Column({ type: 'bigint', name: 'app_id' })
  appId: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'redirect_uri' })
  redirectUri: string;

  @Column({ type: 'text', array: true })
  scopes: string[];

  /** The S256 challenge (RFC 7636 §4.2); null when the app sent none. */
  @Column({ type: 'text', nullable: true })
  challenge: string | null;

  /** The sign-in that the code became. */
  @Column({ type: 'bigint', name: 'token_id', nullable: true })
  tokenId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'spent_at', nullable: true })
  spentAt: Date | null;
}
