/** A reason not to start that the operator can mend: it is shown as text, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
