/** What is known of a video or a recording without decoding it. */
export interface MediaFacts {
  /** Pixels; undefined without moving pictures. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  /** Whether a container of videos has tracks of sound alone. */
  readonly isSound?: boolean;
}

/** A file is damaged, too large, or not of the type it was taken for. The message is for those who uploaded it. */
export class UnreadableMedia extends Error {}
