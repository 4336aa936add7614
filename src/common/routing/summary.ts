/** What the reference of the API says about an operation. */
export interface OperationText {
  /** One sentence in the third person, without its subject. */
  readonly summary: string;
  /** Whether new apps should call another operation instead. */
  readonly deprecated: boolean;
}

const TEXT = Symbol('summary');

/**
 * Lists a handler in the reference of the API, with a sentence about what it does. Pages, files and what is only for
 * other servers have none.
 */
export function Summary(summary: string, { deprecated = false } = {}): MethodDecorator {
  return (_target, _name, descriptor) => {
    const handler = descriptor.value;
    if (typeof handler !== 'function') return;
    Reflect.defineMetadata(TEXT, { summary, deprecated } satisfies OperationText, handler);
  };
}

/** The text that {@link Summary} declared for a handler; undefined when the reference does not list it. */
export function operationText(handler: object): OperationText | undefined {
  return Reflect.getOwnMetadata(TEXT, handler) as OperationText | undefined;
}
