import { type TSchema, Type } from 'typebox';
import { Described } from './shape.js';

/** The successful answer of a handler. */
export interface Answer {
  readonly shape: TSchema;
  readonly contentType: string;
  /** Whether it is a page of a list, with a `Link` header. */
  readonly isPaged: boolean;
}

const ANSWER = Symbol('answer');

/** The empty answer: `{}`. */
export const NothingShape = Type.Object({}, { additionalProperties: false });

/** A text. */
export const TextShape = Type.String();

/** An object with any fields. */
export const AnythingShape = Type.Record(Type.String(), Type.Unknown());

/** `{"status": "success"}` (spec §4.2). */
export const SuccessShape = Type.Object(
  { status: Described(Type.Literal('success'), 'Always `success`.') },
  { additionalProperties: false },
);

/** A refusal that some routes return with 200 (spec §4.2). */
export const RefusalShape = Type.Object(
  { error: Described(Type.String(), 'Why the request was refused, in English.') },
  { additionalProperties: false },
);

/**
 * Declares the successful answer of a handler: for the reference of the API, and for clients generated from it.
 * `[Shape]` is a list, which is paged when the handler takes the parameters of a page. An object is paged with `paged`.
 */
export function Answers(
  shape: TSchema | readonly [TSchema],
  contentType = 'application/json',
  { paged: isPaged = isList(shape) } = {},
): MethodDecorator {
  const whole = isList(shape) ? Type.Array(shape[0]) : shape;
  return (_target, _name, descriptor) => {
    const handler = descriptor.value;
    if (typeof handler !== 'function') return;
    Reflect.defineMetadata(ANSWER, { shape: whole, contentType, isPaged } satisfies Answer, handler);
  };
}

function isList(shape: TSchema | readonly [TSchema]): shape is readonly [TSchema] {
  return Array.isArray(shape);
}

/** The answer that {@link Answers} declared for a handler. */
export function answerOf(handler: object): Answer | undefined {
  return Reflect.getOwnMetadata(ANSWER, handler) as Answer | undefined;
}
