export { printFolio } from './print-folio.ts';
export { readStatement } from './read-statement.ts';
export { statementCsv } from './statement-csv.rules.ts';
