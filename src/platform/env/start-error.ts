/** A reason not to start that the operator can fix: it is shown as text, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
