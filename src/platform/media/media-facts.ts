/** What is known of a film or a recording without decoding it. */
export interface MediaFacts {
  /** Pixels; undefined without moving pictures. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
}
