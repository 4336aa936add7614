/** The result of a check. */
export interface Finding {
  readonly check: string;
  /** One line each; empty when all is well. */
  readonly problems: readonly string[];
  /** Whether the problems are solved already. */
  readonly fixed: boolean;
  /** Figures, or what was left out. */
  readonly note?: string;
}

/** Whether nothing is left to do. */
export function isWell({ problems, fixed }: Finding): boolean {
  return problems.length === 0 || fixed;
}

/** A line for each problem, or one that says that there is none; with the note. */
export function findingLines({ check, problems, fixed, note }: Finding): string[] {
  const noted = note === undefined ? '' : `: ${note}`;
  if (problems.length === 0) return [`ok     ${check}${noted}`];
  const lines = problems.map((problem) => `${fixed ? 'fixed' : 'WRONG'}  ${check}: ${problem}`);
  return note === undefined ? lines : [...lines, `...    ${check}${noted}`];
}
