/** What the baseline uses of pg. */
declare module 'pg' {
  interface QueryResult<Row> {
    rows: Row[];
    rowCount: number | null;
  }
  export interface PoolClient {
    query<Row>(
      statement: string | { name: string; text: string; values: unknown[] },
    ): Promise<QueryResult<Row>>;
    release(): void;
  }
  export class Pool {
    constructor(settings: { host: string; port: number; user: string; database: string; max: number });
    query<Row>(
      text: string | { name: string; text: string; values: unknown[] },
      values?: unknown[],
    ): Promise<QueryResult<Row>>;
    connect(): Promise<PoolClient>;
    end(): Promise<void>;
  }
  const pg: { Pool: typeof Pool };
  export default pg;
}
