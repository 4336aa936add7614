/** The origin of a write: a client of this server, or an activity of another server. */
export type Origin = LocalOrigin | RemoteOrigin;

export interface LocalOrigin {
  readonly kind: 'local';
  /** The app of the client. */
  readonly appId: string | null;
}

export interface RemoteOrigin {
  readonly kind: 'remote';
  /** The id of the activity; null when it has none. */
  readonly uri: string | null;
}

/** A write of this server that no particular app caused. */
export const LOCAL: LocalOrigin = { kind: 'local', appId: null };

/** The id of the activity that wrote something; null for a write of this server. */
export function uriOf(origin: Origin): string | null {
  return origin.kind === 'remote' ? origin.uri : null;
}

export function isLocal({ kind }: Origin): boolean {
  return kind === 'local';
}
