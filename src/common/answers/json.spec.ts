import { Json } from './json.js';

describe('Json', () => {
  const cached = Buffer.from('{"id":"1","text":"Grüße 🐈"}');

  it('renders values, and undefined as null', () => {
    for (const value of [{ a: [1, 'ü'] }, 'text', 0, false, null, []]) expect(Json.of(value).parse()).toEqual(value);
    expect(Json.of(undefined).toString()).toBe('null');
  });

  it('leaves rendered JSON unchanged', () => {
    const json = Json.of({ a: 1 });
    expect(Json.of(json)).toBe(json);
  });

  it('makes objects of rendered and plain values, and omits undefined ones', () => {
    const status = Json.extend(cached, { favourites: 2, muted: undefined });
    const page = Json.object({ 'a"b': 'ü', status, list: [status, status], none: [], gone: undefined, is: null });
    const rendered = { id: '1', text: 'Grüße 🐈', favourites: 2 };
    expect(page.parse()).toEqual({ 'a"b': 'ü', status: rendered, list: [rendered, rendered], none: [], is: null });
    expect(Json.object({}).parse()).toEqual({});
  });

  it('makes arrays', () => {
    expect(Json.array([]).toString()).toBe('[]');
    expect(Json.array([Json.of(1), Json.of({ a: 'ü' })]).parse()).toEqual([1, { a: 'ü' }]);
  });

  it('extends a rendered object', () => {
    expect(Json.extend(Buffer.from('{}'), { a: 1 }).parse()).toEqual({ a: 1 });
    expect(Json.extend(Buffer.from('{}'), {}).parse()).toEqual({});
    expect(Json.extend(Buffer.from('{"a":1}'), {}).parse()).toEqual({ a: 1 });
    expect(Json.extend(Buffer.from('{"a":1}'), { b: Json.of(2) }).parse()).toEqual({ a: 1, b: 2 });
  });

  it('joins pieces', () => {
    expect(Json.join(['{"a":', Json.of([1]), Buffer.from(',"b":2'), '}']).parse()).toEqual({ a: [1], b: 2 });
  });

  it('copies all parts into one buffer, with any characters', () => {
    const texts = ['plain', 'Grüße', '漢字', '🐈‍⬛', '\u2028"\\', 'x'.repeat(10_000), `ü${'x'.repeat(10_000)}`];
    const page = Json.array(texts.map((text) => Json.join(['{"t":', Json.of(text), ',"c":', cached, '}'])));
    expect(page.toBuffer().toString('utf8')).toBe(page.toString());
    expect(page.parse()).toEqual(texts.map((t) => ({ t, c: { id: '1', text: 'Grüße 🐈' } })));
  });

  it('does not concatenate long texts', () => {
    const page = Json.array(Array.from({ length: 10 }, () => Json.of('x'.repeat(3000))));
    expect(Math.max(...page.parts.map((part) => part.length))).toBeLessThanOrEqual(4096);
  });

  it('never emits a lone surrogate', () => {
    expect(Json.of('\ud800').toBuffer().toString()).toBe('"\\ud800"');
  });

  it('stays JSON inside a value that is rendered later', () => {
    expect(JSON.stringify({ deep: { json: Json.of({ a: 1 }) } })).toBe('{"deep":{"json":{"a":1}}}');
  });
});
