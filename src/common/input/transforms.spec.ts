import { Invalid, Unprocessable } from '../errors/errors.js';
import { readInput } from './input.js';
import { Repeated } from './plain-data.js';
import {
  AnyJson,
  BooleanLike,
  CsvList,
  DurationSeconds,
  EmptyToNull,
  FlagMap,
  IdList,
  IntLike,
  Nested,
  NestedList,
  NestedOrNull,
  OneOf,
  OptionalId,
  OptionalText,
  RequiredInt,
  RequiredText,
  TextList,
  Trimmed,
} from './transforms.js';

class ChildBody {
  @OptionalText({ max: 3 }) name?: string;
}

class SampleBody {
  @BooleanLike() flag?: boolean;
  @BooleanLike() on = true;
  @IntLike({ min: 2, max: 9 }) int?: number;
  @DurationSeconds() seconds?: number;
  @OptionalId() id?: string;
  @IdList({ max: 3 }) ids?: string[];
  @TextList({ max: 2, maxLength: 3 }) texts?: string[];
  @CsvList({ max: 3 }) csv?: string[];
  @OptionalText({ max: 3 }) text?: string;
  @EmptyToNull({ max: 3 }) clearable?: string | null;
  @OptionalText({ max: 3 }) @Trimmed() pasted?: string;
  @EmptyToNull({ max: 3 }) @Trimmed() pastedOver?: string | null;
  @OneOf(['a', 'b']) word?: string;
  @Nested(() => ChildBody) child?: ChildBody;
  @NestedOrNull(() => ChildBody) lost?: ChildBody | null;
  @NestedList(() => ChildBody, { max: 2 }) children?: ChildBody[];
  @FlagMap() flags?: ReadonlyMap<string, boolean>;
  @AnyJson() any?: unknown;
}

class Required {
  @RequiredText({ max: 3 }) text: string;
}

class RequiredNumber {
  @RequiredInt({ min: 2, max: 9 }) int: number;
}

const read = (input: Readonly<Record<string, unknown>>) => readInput(SampleBody, input);
const twice = (...values: unknown[]) => Repeated.of(...values);
const refused = (
  input: Readonly<Record<string, unknown>>,
  requestClass: typeof SampleBody | typeof Required | typeof RequiredNumber = SampleBody,
): [number, string] => {
  try {
    readInput<object>(requestClass, input);
  } catch (error) {
    if (error instanceof Invalid || error instanceof Unprocessable) return [error.status, error.message];
    throw error;
  }
  return [200, ''];
};

describe('BooleanLike', () => {
  it.each([false, 0, '0', 'f', 'F', 'false', 'False', 'FALSE', 'off', 'OFF', 'no'])('reads %j as false', (value) => {
    expect(read({ flag: value }).flag).toBe(false);
  });

  it.each([true, 1, '1', 't', 'on', 'yes', 'True', 'anything', {}, []])('reads %j as true', (value) => {
    expect(read({ flag: value }).flag).toBe(true);
  });

  it('is undefined when absent, empty or null', () => {
    expect(read({})).toEqual({ on: true });
    expect(read({ flag: '' }).flag).toBeUndefined();
    expect(read({ flag: null }).flag).toBeUndefined();
    expect(read({ on: '' }).on).toBe(true);
    expect(read({ on: null }).on).toBe(true);
    expect(read({ on: 'off' }).on).toBe(false);
  });

  it('uses the last of several values', () => {
    expect(read({ flag: twice('0', '1') }).flag).toBe(true);
    expect(read({ flag: twice('1', '0') }).flag).toBe(false);
  });
});

describe('FlagMap', () => {
  it('reads booleans in any spelling under any name', () => {
    const flags = { on: true, off: '0', one: 1, none: null, 'a:b': 'yes', last: twice('1', 'off'), __proto__: true };
    expect(read({ flags }).flags).toEqual(
      new Map(Object.entries({ on: true, off: false, one: true, none: false, 'a:b': true, last: false })),
    );
    expect(read({ flags: '' }).flags).toBeUndefined();
  });

  it.each(['x', 5, true, ['a'], [{}]])('refuses %j', (value) => {
    expect(refused({ flags: value })).toEqual([400, 'flags must be an object']);
  });
});

describe('numbers', () => {
  it.each([
    [5, 5],
    ['5', 5],
    ['+5', 5],
    ['09', 9],
    ['', undefined],
    [null, undefined],
    [twice('3', '4'), 4],
  ])('read %j as %j', (value, expected) => expect(read({ int: value }).int).toBe(expected));

  it.each(['x', '5x', '1.5', 1.5, '1e1', ' 5', true, {}, [5], 2 ** 53, '9'.repeat(30)])('refuse %j', (value) => {
    expect(refused({ int: value })).toEqual([400, 'int must be a whole number']);
  });

  it('return 422 outside of the range', () => {
    expect(refused({ int: 1 })).toEqual([422, 'int must be at least 2']);
    expect(refused({ int: '10' })).toEqual([422, 'int must be at most 9']);
    expect(refused({ seconds: -1 })[0]).toBe(422);
    expect(refused({ seconds: 1e12 })[0]).toBe(422);
    expect(read({ seconds: '0' }).seconds).toBe(0);
  });
});

describe('ids', () => {
  it('accept texts and JSON numbers; empty is undefined', () => {
    expect(read({ id: 'AbC' }).id).toBe('AbC');
    expect(read({ id: 7 }).id).toBe('7');
    expect(read({ id: '' })).not.toHaveProperty('id');
    for (const id of [{}, [], true, 1.5, 'x'.repeat(65)]) expect(refused({ id })).toEqual([400, 'id must be an id']);
  });

  it.each([
    [
      ['1', 2],
      ['1', '2'],
    ],
    [twice('1', '2'), ['1', '2']],
    ['1', ['1']],
    [1, ['1']],
    [{ 1: 'b', 0: 'a' }, ['a', 'b']],
    [['1', '', null], ['1']],
    ['', []],
    [[], []],
  ])('read %j as the list %j', (value, expected) => expect(read({ ids: value }).ids).toEqual(expected));

  it('are refused when they are no list of ids, or too many', () => {
    for (const ids of [[{}], { a: '1' }, true, [['1']]])
      expect(refused({ ids })).toEqual([400, 'ids must be a list of ids']);
    expect(refused({ ids: ['1', '2', '3', '4'] })).toEqual([400, 'ids must hold at most 3 ids']);
    expect(read({ ids: null })).not.toHaveProperty('ids');
  });
});

describe('lists of texts', () => {
  it('are split at commas only if declared so', () => {
    expect(read({ texts: 'a,b' }).texts).toEqual(['a,b']);
    expect(read({ csv: 'a, b' }).csv).toEqual(['a', 'b']);
    expect(read({ csv: twice('a,b', 'c') }).csv).toEqual(['a', 'b', 'c']);
    expect(read({ csv: [0, 1] }).csv).toEqual(['0', '1']);
  });

  it('give 422 for too many or too long texts, 400 for other values', () => {
    expect(refused({ texts: ['a', 'b', 'c'] })).toEqual([422, 'texts must hold at most 2 texts']);
    expect(refused({ texts: ['abcd'] })).toEqual([422, 'texts must hold texts of at most 3 characters']);
    expect(refused({ texts: [1] })).toEqual([400, 'texts must be a list of texts']);
    expect(refused({ csv: [{}] })).toEqual([400, 'csv must be a list of texts']);
  });
});

describe('texts', () => {
  it('may be empty, become null where that removes a value, and are counted in code points', () => {
    expect(read({ text: '', clearable: '' })).toMatchObject({ text: '', clearable: null });
    expect(read({ clearable: ' ' }).clearable).toBeNull();
    expect(read({ text: null, clearable: null })).toEqual({ on: true, clearable: null });
    expect(read({ text: '🐈🐈🐈' }).text).toBe('🐈🐈🐈');
    expect(refused({ text: '🐈🐈🐈🐈' })).toEqual([422, 'text must have at most 3 characters']);
    expect(refused({ clearable: 'abcd' })[0]).toBe(422);
    expect(read({ pasted: ' abc\n', pastedOver: ' abc\t' })).toMatchObject({ pasted: 'abc', pastedOver: 'abc' });
    expect(refused({ pasted: 5 })).toEqual([400, 'pasted must be a text']);
    expect(refused({ text: 5 })).toEqual([400, 'text must be a text']);
    expect(refused({ clearable: {} })).toEqual([400, 'clearable must be a text']);
  });

  it('have separate errors for missing, wrong, empty and too long', () => {
    expect(refused({}, Required)).toEqual([400, 'text is missing']);
    expect(refused({ text: null }, Required)).toEqual([400, 'text is missing']);
    expect(refused({ text: [] }, Required)).toEqual([400, 'text must be a text']);
    expect(refused({ text: ' \n' }, Required)).toEqual([422, 'text must not be empty']);
    expect(refused({ text: 'abcd' }, Required)).toEqual([422, 'text must have at most 3 characters']);
    expect(readInput(Required, { text: 'abc' })).toEqual({ text: 'abc' });
  });

  it('give an error for a required whole number', () => {
    for (const int of [undefined, null, '']) expect(refused({ int }, RequiredNumber)).toEqual([400, 'int is missing']);
    expect(refused({ int: 'x' }, RequiredNumber)).toEqual([400, 'int must be a whole number']);
    expect(refused({ int: 10 }, RequiredNumber)).toEqual([422, 'int must be at most 9']);
    expect(readInput(RequiredNumber, { int: '9' })).toEqual({ int: 9 });
  });

  it('accept one of a few words', () => {
    expect(read({ word: 'a' }).word).toBe('a');
    expect(read({ word: '' })).not.toHaveProperty('word');
    expect(refused({ word: 'c' })).toEqual([400, 'word must be one of a, b']);
    expect(refused({ word: ['a'] })[0]).toBe(400);
  });
});

describe('objects', () => {
  it('contain nested fields without unknown ones', () => {
    expect(read({ child: { name: 'n', other: 1 }, other: 1 })).toEqual({ on: true, child: { name: 'n' } });
    expect(read({ children: { 0: { name: 'a' }, 1: { name: 'b' } } }).children).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(read({ child: '' })).not.toHaveProperty('child');
  });

  it('become null when they are removed', () => {
    expect(read({ lost: { name: 'n' } }).lost).toEqual({ name: 'n' });
    expect([read({ lost: null }).lost, read({ lost: '' }).lost]).toEqual([null, null]);
    expect(read({})).not.toHaveProperty('lost');
    expect(refused({ lost: { name: 1 } })).toEqual([400, 'lost.name must be a text']);
    expect(refused({ lost: 'x' })).toEqual([400, 'lost must be an object']);
  });

  it('give the path of a nested field in errors', () => {
    expect(refused({ child: { name: 1 } })).toEqual([400, 'child.name must be a text']);
    expect(refused({ children: [{}, { name: 1 }] })).toEqual([400, 'children.1.name must be a text']);
    for (const child of [[], 'x', 1]) expect(refused({ child })).toEqual([400, 'child must be an object']);
    expect(refused({ children: ['x'] })).toEqual([400, 'children must be a list of objects']);
    expect(refused({ children: [{}, {}, {}] })).toEqual([422, 'children must hold at most 2 entries']);
  });

  it('can be any JSON, unchanged', () => {
    const any = { a: [1, { b: null }] };
    expect(read({ any }).any).toBe(any);
    expect(read({ any: null }).any).toBeNull();
  });
});
