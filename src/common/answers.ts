import type { TSchema } from 'typebox';
import { Type } from 'typebox';

/** What a handler answers when all goes well. */
export interface Answer {
  readonly shape: TSchema;
  readonly contentType: string;
}

const ANSWER = Symbol('answer');

/** What is answered where there is nothing to tell: `{}`. */
export const NothingShape = Type.Object({}, { additionalProperties: false });

/** Says what a handler answers when all goes well: for the reference of the API, and for clients made from it. */
export function Answers(shape: TSchema, contentType = 'application/json'): MethodDecorator {
  return (_target, _name, descriptor) => {
    const handler = descriptor.value;
    if (typeof handler === 'function') Reflect.defineMetadata(ANSWER, { shape, contentType } satisfies Answer, handler);
  };
}

/** What {@link Answers} said about a handler. */
export function answerOf(handler: object): Answer | undefined {
  return Reflect.getMetadata(ANSWER, handler) as Answer | undefined;
}
