/** An expected failure of a backup, a restore or a move: shown to the operator in its words. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** A backup that is not as it was written. */
export class BackupDamaged extends BackupError {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The backup is damaged or incomplete: ${reason}.`, options);
  }
}
