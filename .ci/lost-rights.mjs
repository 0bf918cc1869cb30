// Prints as Markdown the table rights that functions lose: node .ci/lost-rights.mjs <table-rights.json before> <after>.
import { readFileSync } from 'node:fs';
import { lostRights } from '../infra/rights/lost-rights.ts';

const [before, after] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
process.stdout.write(lostRights(before, after));
