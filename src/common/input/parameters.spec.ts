import { PageQuery } from '../answers/page.js';
import { Describe, parametersOf, schemaOf } from './parameters.js';
import {
  AnyJson,
  BooleanLike,
  CsvList,
  EmptyToNull,
  FilePart,
  IdList,
  IntLike,
  Nested,
  NestedList,
  OneOf,
  OptionalId,
  OptionalText,
  RequiredText,
  TextList,
} from './transforms.js';

class PartBody {
  @RequiredText({ max: 5 }) name: string;
}

class WholeBody {
  @BooleanLike() flag = true;
  @IntLike({ min: 1, max: 9 }) count?: number;
  @OptionalId() id?: string;
  @IdList({ max: 3 }) ids: string[] = [];
  @TextList({ max: 2, maxLength: 7 }) texts?: string[];
  @CsvList({ max: 4, maxLength: 6 }) words?: string[];
  @OptionalText({ max: 8 }) text?: string;
  @EmptyToNull({ max: 9 }) gone?: string | null;
  @RequiredText({ max: 10 }) needed: string;
  @OneOf(['a', 'b']) choice?: string;
  @Nested(() => PartBody) part?: PartBody;
  @NestedList(() => PartBody, { max: 11 }) parts?: PartBody[];
  @FilePart() file?: unknown;
  @AnyJson() any?: unknown;
}

describe('the fields of a request class', () => {
  const part = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 5 } },
    required: ['name'],
  };

  it('are described by their decorators', () => {
    expect(schemaOf(WholeBody)).toEqual({
      type: 'object',
      properties: {
        flag: { type: 'boolean', default: true },
        count: { type: 'integer', minimum: 1, maximum: 9 },
        id: { type: 'string', maxLength: 64 },
        ids: { type: 'array', items: { type: 'string' }, maxItems: 3, default: [] },
        texts: { type: 'array', items: { type: 'string', maxLength: 7 }, maxItems: 2 },
        words: { type: 'array', items: { type: 'string', maxLength: 6 }, maxItems: 4 },
        text: { type: 'string', maxLength: 8 },
        gone: { type: ['string', 'null'], maxLength: 9 },
        needed: { type: 'string', minLength: 1, maxLength: 10 },
        choice: { type: 'string', enum: ['a', 'b'] },
        part,
        parts: { type: 'array', items: part, maxItems: 11 },
        file: { type: 'string', format: 'binary' },
        any: {},
      },
      required: ['needed'],
    });
  });

  it('are inherited and can be described again', () => {
    class SmallPage extends PageQuery {
      @Describe('Some words.')
      @OptionalText({ max: 1 })
      q?: string;
      @IntLike({ max: 5 }) override offset = 2;
    }
    const parameters = parametersOf(SmallPage);
    expect(parameters.map(({ name }) => name)).toEqual(['q', 'offset', 'max_id', 'min_id', 'since_id', 'limit']);
    expect(parameters[0]?.schema).toEqual({ description: 'Some words.', type: 'string', maxLength: 1 });
    expect(parameters[1]).toEqual({
      name: 'offset',
      required: false,
      schema: { type: 'integer', maximum: 5, default: 2 },
    });
    expect(parameters.at(-1)?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 40, default: 20 });
    expect(parametersOf(class {})).toEqual([]);
  });
});
