import pg, { type Connection, type Submittable } from 'pg';

/** A column of a result, and the id of its type. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The result columns of a statement: PostgreSQL parses it, but does not run it. */
export function describeStatement(client: pg.Client, text: string): Promise<readonly Field[]> {
  return new Promise((resolve, reject) => client.query(new Description(text, resolve, reject)));
}

/** The messages of pg's own queries. */
class Description implements Submittable {
  private fields: readonly Field[] = [];

  constructor(
    private readonly text: string,
    private readonly resolve: (fields: readonly Field[]) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, false);
    connection.describe({ type: 'S', name: '' }, false);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.fields);
  }
}
