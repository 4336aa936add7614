import { type ColumnType, getMetadataArgsStorage } from 'typeorm';

type Entity<Row> = new () => Row;
type Names<Row> = readonly (keyof Row & string)[];

interface DeclaredColumn {
  readonly name: string;
  readonly type: ColumnType | undefined;
}

/** The row of a statement that reads properties of an entity. Times arrive as texts of the API. */
export type RowOf<Row, Name extends keyof Row> = { readonly [Property in Name]: Read<Row[Property]> };
type Read<Value> = Value extends Date ? string : Value extends (infer Item)[] ? readonly Item[] : Value;

/**
 * The columns of an entity's properties as a select list in which each has the name of its property:
 * `s.id, s.author_id as "authorId"`. The entity is the one place that knows both names.
 * @param alias of the table in the statement
 */
export function columns<Row extends object>(entity: Entity<Row>, alias: string, names: Names<Row>): string {
  return names
    .map((property) => {
      const { name } = columnOf(entity, property);
      return `${alias}.${name}${name === property ? '' : ` as "${property}"`}`;
    })
    .join(', ');
}

/** The columns under their own names: for an insert, or with the alias of a table for a subquery. */
export function columnNames<Row extends object>(entity: Entity<Row>, names: Names<Row>, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return names.map((property) => `${prefix}${columnOf(entity, property).name}`).join(', ');
}

/** Rows that a statement gets as parameters, one array for each column. */
export interface GivenRows<Row> {
  /** What stands behind `from`: a table of the given rows, named `given`. */
  readonly table: string;
  /** The values of the first parameters. */
  values(rows: readonly Row[]): unknown[];
}

/**
 * Many rows as parameters: the names, the types and the values of the columns come from one list, so that none of them can
 * get the place of another.
 * @param further columns that the entity lacks, with their types
 */
export function givenRows<Row extends object, Name extends keyof Row & string, Further extends string = never>(
  entity: Entity<Row>,
  properties: readonly Name[],
  further: Readonly<Record<Further, string>> = {} as Readonly<Record<Further, string>>,
): GivenRows<Readonly<Record<Name | Further, unknown>>> {
  const given = [
    ...properties.map((property) => ({ property, ...columnOf(entity, property) })),
    ...Object.entries<string>(further).map(([property, type]) => ({ property, name: snakeCase(property), type })),
  ] as (DeclaredColumn & { readonly property: Name | Further })[];
  const names = given.map(({ name }) => name).join(', ');
  const arrays = given.map(({ type }, at) => `$${at + 1}::${String(type)}[]`).join(', ');
  return {
    table: `unnest(${arrays}) as given (${names})`,
    values: (rows) =>
      given.map(({ property, type }) => rows.map((row) => (type === 'jsonb' ? asJson(row[property]) : row[property]))),
  };
}

/** An array in a list of arrays would become one of PostgreSQL. */
const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** The name of a column for the name of a property: `authorId` is `author_id`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function columnOf(entity: Entity<object>, property: string): DeclaredColumn {
  const found = getMetadataArgsStorage().columns.find(
    ({ target, propertyName }) => target === entity && propertyName === property,
  );
  if (!found) throw new Error(`${entity.name} has no column "${property}"`);
  return { name: found.options.name ?? property, type: found.options.type };
}
