/** The result of a check. */
export interface Finding {
  readonly check: string;
  /** One line each; empty when all is well. */
  readonly problems: readonly string[];
  /** Whether the problems are solved already. */
  readonly fixed: boolean;
}
