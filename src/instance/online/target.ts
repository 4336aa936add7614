/** The server that is looked at. */
export interface Target {
  readonly baseUrl: URL;
  readonly handleDomain: string;
  /** Bytes. */
  readonly uploadLimit: number;
  /** A new ticket for the probe. */
  readonly ticket: () => string;
  /** Ends what runs, when the time for all checks is over. */
  readonly signal: AbortSignal | undefined;
}
